//! Work on all cores with results in order.
//!
//! Tasks are numbered; workers take them as they come free, and the results reach one consumer by
//! number, so that what comes out never depends on the number of threads. Only a bounded window of
//! results waits for earlier ones.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::interrupt::Interrupt;
use crate::reporter::Reporter;

/// Results that may wait for earlier ones, for each thread.
const WINDOW_PER_THREAD: u64 = 8;

/// A pool of `threads` threads; 0 means one a core.
///
/// # Errors
/// If the system refuses the threads.
pub fn pool(threads: usize) -> Result<ThreadPool, ThreadPoolBuildError> {
    ThreadPoolBuilder::new().num_threads(threads).build()
}

/// Who does the work, who may stop it and who is told of it.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The threads; the caller's is none of them.
    pub pool: &'a ThreadPool,
    /// The request to stop.
    pub interrupt: &'a Interrupt,
    /// Where progress is shown.
    pub talk: &'a Reporter,
}

/// How ordered work came to its end.
#[derive(Debug, PartialEq, Eq)]
pub enum Finish<B> {
    /// All tasks were done.
    Completed,
    /// The consumer had enough.
    Broke(B),
    /// A stop was requested before all tasks were done.
    Interrupted,
}

struct State<T> {
    next_task: u64,
    next_result: u64,
    results: BTreeMap<u64, T>,
    live_workers: usize,
    closed: bool,
}

struct Board<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

impl<T> Board<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // No panic happens under the lock that could leave the state half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&'a self, guard: MutexGuard<'a, State<T>>) -> MutexGuard<'a, State<T>> {
        self.changed
            .wait(guard)
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }
}

/// Signs a worker off however it ends, so that nobody waits for it.
struct SignOff<'a, T>(&'a Board<T>);

impl<T> Drop for SignOff<'_, T> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.live_workers -= 1;
        state.closed |= std::thread::panicking();
        drop(state);
        self.0.changed.notify_all();
    }
}

/// Does `tasks` on all threads of a pool and gives `consume` the results in the order of tasks.
///
/// Each thread makes itself one worker. `consume` runs on the calling thread, which must not be
/// one of the pool's.
pub fn ordered<W, T: Send, B>(
    pool: &ThreadPool,
    tasks: Range<u64>,
    interrupt: &Interrupt,
    make_worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, u64) -> T + Sync,
    mut consume: impl FnMut(u64, T) -> ControlFlow<B>,
) -> Finish<B> {
    let threads = pool.current_num_threads();
    let window = WINDOW_PER_THREAD * threads as u64;
    let board = Board {
        state: Mutex::new(State {
            next_task: tasks.start,
            next_result: tasks.start,
            results: BTreeMap::new(),
            live_workers: threads,
            closed: false,
        }),
        changed: Condvar::new(),
    };
    let take_task = || {
        let mut state = board.lock();
        loop {
            if state.closed || state.next_task >= tasks.end || interrupt.requested() {
                return None;
            }
            if state.next_task < state.next_result + window {
                state.next_task += 1;
                return Some(state.next_task - 1);
            }
            state = board.wait(state);
        }
    };
    pool.in_place_scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|_| {
                let _sign_off = SignOff(&board);
                let mut worker = make_worker();
                while let Some(task) = take_task() {
                    let result = work(&mut worker, task);
                    board.lock().results.insert(task, result);
                    board.changed.notify_all();
                }
            });
        }
        loop {
            let mut state = board.lock();
            let next = state.next_result;
            if next >= tasks.end {
                return Finish::Completed;
            }
            let result = loop {
                if let Some(result) = state.results.remove(&next) {
                    break result;
                }
                if state.live_workers == 0 {
                    return Finish::Interrupted;
                }
                state = board.wait(state);
            };
            drop(state);
            let flow = consume(next, result);
            if let ControlFlow::Break(value) = flow {
                board.close();
                return Finish::Broke(value);
            }
            board.lock().next_result += 1;
            board.changed.notify_all();
        }
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    use super::*;

    fn run(threads: usize, stop_at: u64) -> (Vec<u64>, Finish<u64>) {
        let pool = pool(threads).unwrap();
        let mut seen = Vec::new();
        let finish = ordered(
            &pool,
            10..200,
            &Interrupt::default(),
            || (),
            |(), task| {
                // Later tasks are quicker, so that results come out of order.
                std::thread::sleep(Duration::from_micros((task * 37) % 190));
                task * task
            },
            |task, result| {
                assert_eq!(task * task, result);
                seen.push(task);
                if task == stop_at {
                    ControlFlow::Break(task)
                } else {
                    ControlFlow::Continue(())
                }
            },
        );
        (seen, finish)
    }

    #[test]
    fn results_come_in_order_on_any_number_of_threads() {
        for threads in [1, 2, 5] {
            let (seen, finish) = run(threads, u64::MAX);
            assert_eq!(seen, (10..200).collect::<Vec<_>>());
            assert_eq!(finish, Finish::Completed);
        }
    }

    #[test]
    fn the_consumer_can_end_the_work() {
        let (seen, finish) = run(3, 50);
        assert_eq!(seen, (10..=50).collect::<Vec<_>>());
        assert_eq!(finish, Finish::Broke(50));
    }

    #[test]
    fn workers_never_run_further_ahead_than_the_window() {
        let pool = pool(4).unwrap();
        let consumed = AtomicU64::new(0);
        let furthest = AtomicU64::new(0);
        ordered(
            &pool,
            0..500,
            &Interrupt::default(),
            || (),
            |(), task| {
                let ahead = task.saturating_sub(consumed.load(Ordering::SeqCst));
                furthest.fetch_max(ahead, Ordering::SeqCst);
                if task == 0 {
                    std::thread::sleep(Duration::from_millis(20));
                }
            },
            |_, ()| {
                consumed.fetch_add(1, Ordering::SeqCst);
                ControlFlow::<()>::Continue(())
            },
        );
        assert!(furthest.into_inner() <= WINDOW_PER_THREAD * 4 + 1);
    }

    #[test]
    fn an_interrupt_ends_the_work_with_a_prefix_of_the_results() {
        let pool = pool(2).unwrap();
        let interrupt = Interrupt::default();
        let mut seen = Vec::new();
        let finish = ordered(
            &pool,
            0..1_000_000,
            &interrupt,
            || (),
            |(), task| task,
            |task, _| {
                seen.push(task);
                if task == 20 {
                    interrupt.request();
                }
                ControlFlow::<()>::Continue(())
            },
        );
        assert_eq!(finish, Finish::Interrupted);
        assert_eq!(seen, (0..seen.len() as u64).collect::<Vec<_>>());
        assert!((21..100).contains(&seen.len()));
    }

    #[test]
    #[should_panic(expected = "task 7")]
    fn a_panic_in_a_worker_reaches_the_caller() {
        let pool = pool(2).unwrap();
        ordered(
            &pool,
            0..100,
            &Interrupt::default(),
            || (),
            |(), task| assert!(task != 7, "task 7"),
            |_, ()| ControlFlow::<()>::Continue(()),
        );
    }
}
