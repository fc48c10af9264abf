for (const game of document.querySelectorAll(".game")) {
  const plies = JSON.parse(game.querySelector("script").textContent);
  const pieces = game.querySelector(".pieces");
  const slider = game.querySelector("input");
  const told = game.querySelector(".told");
  const share = game.querySelector(".of-max");
  const show = (ply) => {
    const at = plies[ply];
    slider.value = ply;
    pieces.innerHTML = at.pieces;
    const width = at.expected === null ? 0.5 : at.expected;
    share.style.width = 100 * width + "%";
    const words = ["ply " + ply + " of " + (plies.length - 1)];
    if (at.mv) words.push("after " + at.mv);
    if (at.score) words.push("score " + at.score);
    if (at.exact) words.push("exact: " + at.exact);
    if (ply === plies.length - 1) words.push(game.dataset.result);
    told.textContent = words.join(" · ");
  };
  const step = (by) => show(Math.max(0, Math.min(plies.length - 1, Number(slider.value) + by)));
  slider.max = plies.length - 1;
  slider.addEventListener("input", () => show(Number(slider.value)));
  game.querySelector(".back").addEventListener("click", () => step(-1));
  game.querySelector(".on").addEventListener("click", () => step(1));
  game.addEventListener("keydown", (event) => {
    if (event.target === slider) return;
    if (event.key === "ArrowLeft") step(-1);
    if (event.key === "ArrowRight") step(1);
  });
  show(0);
}
