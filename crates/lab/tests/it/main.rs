//! Tests of the laboratory from outside, in one program: each program more is linked once more.

mod experiment;
mod plot;
mod report;
mod report_common;
mod report_experiment;
mod resume;
mod stats;
mod stats_simulation;
mod store;
mod suite_gnugo;
mod suite_hostile;
mod suite_run;
mod tune;
mod tune_simulation;
mod zoo;
