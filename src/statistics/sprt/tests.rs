//! Reference values, invariants, and simulated matches whose true strength is known.

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::super::{PairScore, Pentanomial, Trinomial};
use super::*;

fn normalised(bounds: [f64; 2]) -> Sprt {
    Sprt::new(EloModel::Normalised, bounds, 0.05, 0.05).unwrap()
}

fn logistic(bounds: [f64; 2]) -> Sprt {
    Sprt::new(EloModel::Logistic, bounds, 0.05, 0.05).unwrap()
}

/// The log-likelihood ratio to the digits of the reference.
fn llr(sprt: Sprt, counts: &impl Counts) -> String {
    format!("{:.6}", sprt.llr(counts))
}

#[test]
fn normalised_games_agree_with_fishtest() {
    for (counts, bounds, expected) in [
        ([36027, 68692, 36433], [0.0, 2.0], "0.923293"),
        ([10650, 20431, 10871], [-1.75, 0.25], "2.297500"),
        ([0, 0, 4250], [0.0, 10.0], "120.548268"),
    ] {
        assert_eq!(llr(normalised(bounds), &Trinomial(counts)), expected);
    }
}

#[test]
fn normalised_pairs_agree_with_fishtest() {
    for (counts, bounds, expected) in [
        ([365, 16618, 36229, 16974, 390], [0.0, 2.0], "2.250368"),
        ([127, 4883, 10712, 5150, 104], [-1.75, 0.25], "3.010154"),
        ([0, 0, 0, 0, 5550], [0.0, 5.0], "111.797555"),
        ([379, 10170, 21828, 10640, 343], [0.0, 2.0], "2.945495"),
        ([39, 2226, 31451, 2412, 40], [0.764, 3.439], "2.162941"),
        ([13, 37, 50, 25, 3], [0.0, 4.0], "-0.549125"),
        ([0, 0, 4, 2, 156], [0.0, 4.0], "2.575172"),
        ([14, 38, 94, 105, 84], [0.0, 4.0], "2.582681"),
        ([184, 15, 508, 17, 290], [0.0, 5.0], "2.950238"),
        ([2, 18, 55, 22, 3], [0.0, 20.0], "0.300323"),
        ([0, 0, 100, 0, 0], [0.0, 20.0], "-0.653894"),
        ([0, 0, 0, 0, 1], [0.0, 10.0], "0.039883"),
        ([1, 0, 0, 0, 0], [0.0, 10.0], "-0.041544"),
        ([0, 0, 1, 0, 0], [0.0, 10.0], "-0.000945"),
        ([0, 0, 490, 10, 0], [0.0, 10.0], "1.711250"),
        ([59, 1159, 2401, 1031, 42], [-2.0, 2.0], "-3.548518"),
        ([42, 1031, 2401, 1159, 59], [-2.0, 2.0], "3.548518"),
        ([5, 10, 70, 12, 3], [0.0, 10.0], "-0.193750"),
        ([35, 70, 490, 84, 21], [0.0, 10.0], "-1.356252"),
    ] {
        assert_eq!(llr(normalised(bounds), &Pentanomial(counts)), expected);
    }
}

#[test]
fn logistic_results_agree_with_fishtest() {
    assert_eq!(
        llr(logistic([0.5, 2.5]), &Trinomial([21184, 40708, 21404])),
        "-1.571889"
    );
    for (counts, bounds, expected) in [
        ([223, 9863, 21279, 10037, 246], [0.5, 2.5], "-3.074126"),
        ([871, 26175, 55983, 26678, 821], [0.0, 2.0], "-4.978673"),
        ([0, 0, 490, 10, 0], [0.0, 10.0], "-3.612929"),
    ] {
        assert_eq!(llr(logistic(bounds), &Pentanomial(counts)), expected);
    }
}

#[test]
fn the_bounds_follow_from_the_error_rates() {
    let [lower, upper] = normalised([0.0, 10.0]).bounds();
    assert_eq!(format!("{lower:.6} {upper:.6}"), "-2.944439 2.944439");

    let uneven = Sprt::new(EloModel::Normalised, [0.0, 10.0], 0.01, 0.2).unwrap();
    assert_eq!(
        uneven.bounds(),
        [(0.2_f64 / 0.99).ln(), (0.8_f64 / 0.01).ln()]
    );
}

#[test]
fn a_verdict_falls_at_the_bounds_alone() {
    let verdict = |counts, bounds| normalised(bounds).verdict(&Pentanomial(counts));
    let accepted = [379, 10170, 21828, 10640, 343];
    assert_eq!(verdict(accepted, [0.0, 2.0]), Verdict::AcceptH1);
    assert_eq!(
        verdict([59, 1159, 2401, 1031, 42], [-2.0, 2.0]),
        Verdict::AcceptH0
    );
    assert_eq!(
        verdict([365, 16618, 36229, 16974, 390], [0.0, 2.0]),
        Verdict::Continue
    );
    assert_eq!(verdict([0; 5], [0.0, 2.0]), Verdict::Continue);
}

#[test]
fn without_information_the_ratio_is_zero() {
    assert_eq!(normalised([0.0, 10.0]).llr(&Pentanomial([0; 5])), 0.0);
    assert_eq!(logistic([0.0, 10.0]).llr(&Trinomial([0; 3])), 0.0);
    let beyond_any_law = logistic([0.0, 1e9]);
    assert_eq!(beyond_any_law.llr(&Pentanomial([1, 2, 3, 4, 5])), 0.0);
}

#[test]
fn a_test_without_sense_is_refused() {
    let new = |bounds, alpha, beta| Sprt::new(EloModel::Normalised, bounds, alpha, beta);
    for bounds in [
        [5.0, 0.0],
        [1.0, 1.0],
        [f64::NAN, 1.0],
        [0.0, f64::INFINITY],
    ] {
        assert!(matches!(new(bounds, 0.05, 0.05), Err(SprtError::Bounds(_))));
    }
    for rate in [0.0, 0.5, -0.1, f64::NAN] {
        assert!(matches!(
            new([0.0, 5.0], rate, 0.05),
            Err(SprtError::ErrorRate { name: "alpha", .. })
        ));
        assert!(matches!(
            new([0.0, 5.0], 0.05, rate),
            Err(SprtError::ErrorRate { name: "beta", .. })
        ));
    }
}

#[test]
fn a_test_is_read_back_and_checked_on_reading() {
    let text = "elo_model = \"normalised\"\nbounds = [0.0, 30.0]\nalpha = 0.05\nbeta = 0.05\n";
    let sprt: Sprt = toml::from_str(text).unwrap();
    assert_eq!(sprt, normalised([0.0, 30.0]));
    assert_eq!(toml::to_string(&sprt).unwrap(), text);

    let error = toml::from_str::<Sprt>(&text.replace("30.0", "-30.0")).unwrap_err();
    assert!(error.to_string().contains("ascending, not [0, -30]"));
    assert!(toml::from_str::<Sprt>(&text.replace("alpha", "aleph")).is_err());
}

proptest! {
    #[test]
    fn swapping_the_players_negates_the_ratio(
        counts in prop::array::uniform5(0_u64..5_000),
        bound in 0.1_f64..50.0,
    ) {
        let counts = Pentanomial(counts);
        for sprt in [normalised([-bound, bound]), logistic([-bound, bound])] {
            let (one, other) = (sprt.llr(&counts), sprt.llr(&counts.reversed()));
            prop_assert!((one + other).abs() < 1e-6 * (1.0 + one.abs()), "{one} {other}");
        }
    }

    #[test]
    fn scaling_the_counts_scales_the_ratio(
        counts in prop::array::uniform5(1_u64..5_000),
        factor in 2_u64..50,
    ) {
        for sprt in [normalised([0.0, 10.0]), logistic([0.0, 10.0])] {
            let once = sprt.llr(&Pentanomial(counts));
            let scaled = sprt.llr(&Pentanomial(counts.map(|count| count * factor)));
            let expected = factor as f64 * once;
            prop_assert!((scaled - expected).abs() < 1e-6 * (1.0 + expected.abs()));
        }
    }

    #[test]
    fn any_counts_and_bounds_give_a_finite_ratio(
        counts in prop::array::uniform5(prop_oneof![Just(0), 1_u64..100, any::<u64>()]),
        lower in prop_oneof![-50_f64..50.0, -1e6_f64..1e6],
        width in prop_oneof![0.1_f64..50.0, 0.1_f64..1e6],
    ) {
        let [l, _, d, _, w] = counts;
        for sprt in [normalised([lower, lower + width]), logistic([lower, lower + width])] {
            prop_assert!(sprt.llr(&Pentanomial(counts)).is_finite());
            prop_assert!(sprt.llr(&Trinomial([l, d, w])).is_finite());
        }
    }
}

/// A drawish law over pairs whose true strength is `nelo`.
///
/// Moving ε from both lost to both won leaves the second moment m about ½ as it is, so that
/// the effect ε / √(m − ε²) can be solved for ε.
fn law_of_strength(nelo: f64) -> [f64; 5] {
    let [double, single] = [0.1, 0.2];
    let moment = 2.0 * (double * 0.25 + single * 0.0625);
    let effect = 2_f64.sqrt() * nelo / NELO_PER_DEVIATION;
    let shift = effect * (moment / (1.0 + effect * effect)).sqrt();
    [double - shift, single, 0.4, single, double + shift]
}

/// The outcome of many simulated tests.
struct Simulation {
    accepted_h1: f64,
    mean_pairs: f64,
}

fn simulate(sprt: Sprt, nelo: f64, tests: u32, seed: u64) -> Simulation {
    let law = law_of_strength(nelo);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut accepted, mut pairs) = (0_u32, 0_u64);
    for _ in 0..tests {
        let mut counts = Pentanomial::default();
        let verdict = loop {
            counts.add(draw(&law, &mut random));
            match sprt.verdict(&counts) {
                Verdict::Continue => {}
                verdict => break verdict,
            }
        };
        accepted += u32::from(verdict == Verdict::AcceptH1);
        pairs += counts.pairs();
    }
    Simulation {
        accepted_h1: f64::from(accepted) / f64::from(tests),
        mean_pairs: pairs as f64 / f64::from(tests),
    }
}

fn draw(law: &[f64; 5], random: &mut Xoshiro256PlusPlus) -> PairScore {
    let mut rest: f64 = random.random();
    for (pair, probability) in PairScore::ALL.into_iter().zip(law) {
        if rest < *probability {
            return pair;
        }
        rest -= probability;
    }
    PairScore::WinWin
}

/// Three standard errors above the rate that the test promises.
fn tolerated(rate: f64, tests: u32) -> f64 {
    rate + 3.0 * (rate * (1.0 - rate) / f64::from(tests)).sqrt()
}

/// Wald's length for a test that could stop between two pairs; the last pair overshoots a little.
fn assert_length(simulation: &Simulation, expected: f64) {
    let ratio = simulation.mean_pairs / expected;
    assert!(
        (0.93..1.12).contains(&ratio),
        "{} pairs instead of {expected}",
        simulation.mean_pairs
    );
}

#[test]
fn a_test_errs_as_seldom_as_promised_and_takes_the_expected_pairs() {
    let (sprt, tests) = (normalised([0.0, 50.0]), 1_000);

    let at_h0 = simulate(sprt, 0.0, tests, 1);
    assert!(at_h0.accepted_h1 <= tolerated(0.05, tests));
    assert_length(&at_h0, 128.0);

    let at_h1 = simulate(sprt, 50.0, tests, 2);
    assert!(1.0 - at_h1.accepted_h1 <= tolerated(0.05, tests));
    assert_length(&at_h1, 128.0);

    assert_length(&simulate(sprt, 25.0, tests, 3), 209.0);
}

#[test]
fn narrower_bounds_take_their_expected_pairs() {
    let sprt = normalised([0.0, 20.0]);
    assert_length(&simulate(sprt, 20.0, 200, 5), 800.0);
    assert_length(&simulate(sprt, 10.0, 150, 6), 1_308.0);
}
