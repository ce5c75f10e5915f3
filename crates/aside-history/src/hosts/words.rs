//! Words of hosts in ours: how a run stands, what takes back what, and where its page is.

use serde_json::Value;

use crate::reader::json;

/// How a run stands, by how it ended if it has, else by how far it is.
pub fn run_status(status: &str, conclusion: Option<&str>) -> &'static str {
    match conclusion.filter(|word| !word.is_empty()).unwrap_or(status) {
        "success" => "success",
        "failure" | "failed" | "timed_out" | "startup_failure" | "error" => "failure",
        "cancelled" | "canceled" => "cancelled",
        "skipped" | "neutral" | "stale" => "skipped",
        "queued"
        | "waiting"
        | "requested"
        | "action_required"
        | "created"
        | "preparing"
        | "manual"
        | "scheduled"
        | "pending"
        | "waiting_for_resource" => "pending",
        _ => "in_progress",
    }
}

/// The number of the pull request that one takes back, by its title and text: `Reverts owner/name#12`, `This reverts merge request !12`.
pub fn reverted_number(title: &str, text: &str) -> Option<i64> {
    let says = title.trim_start().to_ascii_lowercase().starts_with("revert");
    let line = text.lines().map(str::trim).find(|line| {
        line.strip_prefix("Reverts ").or_else(|| line.strip_prefix("This reverts merge request ")).is_some()
    });
    let (_, after) = line.filter(|_| says)?.split_once(['#', '!'])?;
    let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// The commit that one takes back, by what is said of it: `This reverts commit 0a1b2c3…`.
pub fn reverted_commit(message: &str) -> Option<String> {
    let (_, after) = message.split_once("This reverts commit ")?;
    let sha: String = after.chars().take_while(char::is_ascii_hexdigit).collect();
    (7..=64).contains(&sha.len()).then(|| sha.to_ascii_lowercase())
}

/// The first line.
pub fn title(message: &str) -> String {
    message.lines().next().unwrap_or_default().chars().take(LONGEST_TITLE).collect()
}

/// The address of a page, by the first of these names that has one.
pub fn page(value: &Value, names: &[&str]) -> Option<String> {
    let is_page = |text: &&str| text.starts_with("https://") || text.starts_with("http://");
    let found = names.iter().find_map(|name| json::text(value, name).filter(is_page))?;
    (found.len() <= LONGEST_ADDRESS).then(|| found.to_owned())
}

/// Bytes of an address.
const LONGEST_ADDRESS: usize = 500;

/// Characters of a title.
const LONGEST_TITLE: usize = 300;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_back_says_what() {
        assert_eq!(reverted_number("Revert \"Add x\"", "Reverts octo/site#12\n\nIt broke."), Some(12));
        assert_eq!(reverted_number("Revert \"Add x\"", "This reverts merge request !7"), Some(7));
        assert_eq!(reverted_number("Add x", "Reverts octo/site#12"), None);
        assert_eq!(reverted_number("Revert \"Add x\"", "see #12"), None);
        let sha = "6113728f27ae82c7b1a177c8d03f9e96e0adf246";
        let message = format!("Revert \"Add x\"\n\nThis reverts commit {sha}.");
        assert_eq!(reverted_commit(&message).as_deref(), Some(sha));
        assert_eq!(reverted_commit("This reverts commit abc."), None);
    }

    #[test]
    fn a_run_ends_before_it_goes_on() {
        assert_eq!(run_status("completed", Some("timed_out")), "failure");
        assert_eq!(run_status("completed", Some("action_required")), "pending");
        assert_eq!((run_status("queued", None), run_status("running", Some(""))), ("pending", "in_progress"));
    }
}
