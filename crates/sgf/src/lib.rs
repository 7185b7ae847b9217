//! Game records in the Smart Game Format: nothing is lost between reading and writing.
