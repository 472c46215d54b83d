//! Strategies over several runs or executions: concolic testing, learned weights, campaigns.
//!
//! Only this group closes the loop: the results of runs decide how later runs explore.
//!
//! <!-- layering-table -->
//!
//! | module | owns | uses in this group |
//! |---|---|---|
//! | `concolic` | strategies that choose the next branch to negate | `weights` |
//! | `weights` | features of branches, weights over them, Algorithm 2 of learned search | - |
//! | `campaign` | Homi's Algorithm 2: the loop of runs, what it learns, resumption | `concolic` |

pub mod campaign;
pub mod concolic;
pub mod weights;
