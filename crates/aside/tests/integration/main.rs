//! Integration tests of the command line, one module a subject.

mod action_pages;
mod audit;
mod canary;
mod cli;
mod commands;
mod common;
mod crash;
mod doctor;
mod example_scripts;
mod exec;
mod history;
mod local_only;
mod notebooks;
mod old_workspace;
mod scripts;
mod stop;
mod tasks;
