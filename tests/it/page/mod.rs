//! `homi report` and `homi serve`: what is on the page, and the page in a browser.

mod browser;
mod in_browser;
mod report;
mod serve;
