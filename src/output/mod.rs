//! Files for people and for other tools, made of events.
//!
//! <!-- layering-table -->
//!
//! | module | owns | uses in this group |
//! |---|---|---|
//! | `export` | files made of events, one exporter per format | - |
//! | `html_report` | pages of HTML | `export`, `plot` |
//! | `plot` | figures as SVG, PNG and CSV | - |
//! | `witness` | witnesses of verdicts, for validators | `export` |

pub mod export;
pub mod html_report;
pub mod plot;
pub mod witness;
