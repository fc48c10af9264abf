//! Parallel work with results in task order.
//!
//! Tasks are numbered. Workers take them as they become free, and one consumer gets the results by task
//! number, so the output never depends on the number of threads. Only a bounded window of results waits
//! for earlier ones.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::interrupt::Interrupt;
use crate::reporter::Reporter;

/// Results per thread that may wait for earlier ones.
const WINDOW_PER_THREAD: u64 = 8;

/// Starts a pool of `threads` threads; 0 means one per core.
///
/// # Errors
/// If the system refuses to start the threads.
pub fn pool(threads: usize) -> Result<ThreadPool, ThreadPoolBuildError> {
    ThreadPoolBuilder::new().num_threads(threads).build()
}

/// The environment of a long job: threads, stop request and progress output.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The worker threads; the calling thread must not be one of them.
    pub pool: &'a ThreadPool,
    /// The request to stop.
    pub interrupt: &'a Interrupt,
    /// Where progress is shown.
    pub reporter: &'a Reporter,
}

/// How ordered work ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Finish<B> {
    /// All tasks were done.
    Completed,
    /// The consumer ended the work.
    Broke(B),
    /// A stop was requested before all tasks were done.
    Interrupted,
}

/// Tasks handed out and results that wait for the consumer.
struct QueueState<T> {
    next_task: u64,
    next_result: u64,
    results: BTreeMap<u64, T>,
    live_workers: usize,
    closed: bool,
}

struct ResultQueue<T> {
    state: Mutex<QueueState<T>>,
    changed: Condvar,
}

impl<T> ResultQueue<T> {
    fn lock(&self) -> MutexGuard<'_, QueueState<T>> {
        // Nothing under the lock can panic and leave the state half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&'a self, guard: MutexGuard<'a, QueueState<T>>) -> MutexGuard<'a, QueueState<T>> {
        self.changed
            .wait(guard)
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }
}

/// Deregisters a worker when it ends, even by a panic, so that nobody waits for it.
struct SignOff<'a, T>(&'a ResultQueue<T>);

impl<T> Drop for SignOff<'_, T> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.live_workers -= 1;
        state.closed |= std::thread::panicking();
        drop(state);
        self.0.changed.notify_all();
    }
}

/// Runs `tasks` on all threads of the pool and passes the results to `consume` in task order.
///
/// Each thread makes one worker for itself. `consume` runs on the calling thread, which must not belong
/// to the pool.
pub fn ordered<W, T: Send, B>(
    context: &Context,
    tasks: Range<u64>,
    make_worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, u64) -> T + Sync,
    mut consume: impl FnMut(u64, T) -> ControlFlow<B>,
) -> Finish<B> {
    let Context {
        pool, interrupt, ..
    } = *context;
    let threads = pool.current_num_threads();
    let window = WINDOW_PER_THREAD * threads as u64;
    let queue = ResultQueue {
        state: Mutex::new(QueueState {
            next_task: tasks.start,
            next_result: tasks.start,
            results: BTreeMap::new(),
            live_workers: threads,
            closed: false,
        }),
        changed: Condvar::new(),
    };
    let take_task = || {
        let mut state = queue.lock();
        loop {
            if state.closed || state.next_task >= tasks.end || interrupt.requested() {
                return None;
            }
            if state.next_task < state.next_result + window {
                state.next_task += 1;
                return Some(state.next_task - 1);
            }
            state = queue.wait(state);
        }
    };
    pool.in_place_scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|_| {
                let _sign_off = SignOff(&queue);
                let mut worker = make_worker();
                while let Some(task) = take_task() {
                    let result = work(&mut worker, task);
                    queue.lock().results.insert(task, result);
                    queue.changed.notify_all();
                }
            });
        }
        loop {
            let mut state = queue.lock();
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
                state = queue.wait(state);
            };
            drop(state);
            let flow = consume(next, result);
            if let ControlFlow::Break(value) = flow {
                queue.close();
                return Finish::Broke(value);
            }
            queue.lock().next_result += 1;
            queue.changed.notify_all();
        }
    })
}

/// Runs `job` in a quiet context with `threads` threads and no request to stop.
#[cfg(test)]
pub(crate) fn with_context<T>(threads: usize, job: impl FnOnce(&Context) -> T) -> T {
    job(&Context {
        pool: &pool(threads).unwrap(),
        interrupt: &Interrupt::default(),
        reporter: &Reporter::new(true),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    use super::*;

    fn run(threads: usize, stop_at: u64) -> (Vec<u64>, Finish<u64>) {
        let mut seen = Vec::new();
        let work = |(): &mut (), task| {
            // Later tasks are quicker, so results are computed out of order.
            std::thread::sleep(Duration::from_micros((task * 37) % 190));
            task * task
        };
        let consume = |task, result| {
            assert_eq!(task * task, result);
            seen.push(task);
            if task == stop_at {
                ControlFlow::Break(task)
            } else {
                ControlFlow::Continue(())
            }
        };
        let finish = with_context(threads, |context| {
            ordered(context, 10..200, || (), work, consume)
        });
        (seen, finish)
    }

    #[test]
    fn results_are_consumed_in_order_on_any_number_of_threads() {
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
    fn workers_stay_within_the_window() {
        let consumed = AtomicU64::new(0);
        let furthest = AtomicU64::new(0);
        let work = |(): &mut (), task: u64| {
            let ahead = task.saturating_sub(consumed.load(Ordering::SeqCst));
            furthest.fetch_max(ahead, Ordering::SeqCst);
            if task == 0 {
                std::thread::sleep(Duration::from_millis(20));
            }
        };
        let consume = |_, ()| {
            consumed.fetch_add(1, Ordering::SeqCst);
            ControlFlow::<()>::Continue(())
        };
        with_context(4, |context| ordered(context, 0..500, || (), work, consume));
        assert!(furthest.into_inner() <= WINDOW_PER_THREAD * 4 + 1);
    }

    #[test]
    fn an_interrupted_job_has_consumed_a_prefix_of_the_results() {
        let mut seen = Vec::new();
        let finish = with_context(2, |context| {
            let consume = |task, _| {
                seen.push(task);
                if task == 20 {
                    context.interrupt.request();
                }
                ControlFlow::<()>::Continue(())
            };
            ordered(context, 0..1_000_000, || (), |(), task| task, consume)
        });
        assert_eq!(finish, Finish::Interrupted);
        assert_eq!(seen, (0..seen.len() as u64).collect::<Vec<_>>());
        assert!((21..100).contains(&seen.len()));
    }

    #[test]
    #[should_panic(expected = "task 7")]
    fn a_panic_in_a_worker_reaches_the_caller() {
        let work = |(): &mut (), task| assert!(task != 7, "task 7");
        let consume = |_, ()| ControlFlow::<()>::Continue(());
        with_context(2, |context| ordered(context, 0..100, || (), work, consume));
    }
}
