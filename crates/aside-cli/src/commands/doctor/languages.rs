//! The language servers that the person set up.

use aside_core::{LanguageServer, LanguageServerState, harmless};
use aside_protocol::LanguageServers;

use super::Check;

const NAME: &str = "languages";

/// One for each; nothing where none is set up.
pub(super) fn checks(found: &LanguageServers) -> Vec<Check> {
    let mistake = found.problem.as_ref().map(|problem| Check::broken(NAME, harmless(problem), "fix that file"));
    mistake.into_iter().chain(found.servers.iter().map(check)).collect()
}

fn check(server: &LanguageServer) -> Check {
    let name = &server.name;
    let program = server.program.as_deref().unwrap_or("program not found");
    let said = server.said.as_deref().unwrap_or(program);
    let todo = || server.todo.clone().unwrap_or_else(|| "see docs/language-servers.md".to_owned());
    match server.state {
        LanguageServerState::Resting => Check::good(NAME, format!("{name}: {program}; starts when a file needs it")),
        LanguageServerState::Ready => Check::good(NAME, format!("{name}: {program}; running")),
        LanguageServerState::Starting if server.said.is_none() => {
            Check::good(NAME, format!("{name}: {program}; starting"))
        }
        LanguageServerState::Starting => Check::look(NAME, format!("{name}: {said}"), todo()),
        LanguageServerState::Missing | LanguageServerState::Failed => {
            Check::broken(NAME, format!("{name}: {said}"), todo())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::doctor::State;

    fn server(state: LanguageServerState, said: Option<&str>) -> LanguageServers {
        let server = LanguageServer {
            name: "python".to_owned(),
            languages: Vec::new(),
            command: vec!["pylsp".to_owned()],
            program: said.is_none().then(|| "/usr/bin/pylsp".to_owned()),
            state,
            said: said.map(str::to_owned),
            todo: said.map(|_| "install it".to_owned()),
        };
        LanguageServers { file: None, problem: None, servers: vec![server] }
    }

    #[test]
    fn what_is_set_up_and_does_not_work_is_broken_with_what_to_do() {
        let mut found = server(LanguageServerState::Missing, Some("there is no program `pylsp`"));
        found.problem = Some("line 2: no".to_owned());
        let checks = checks(&found);
        assert_eq!(checks.iter().map(|check| check.state).collect::<Vec<_>>(), [State::Broken, State::Broken]);
        assert_eq!(checks[1].found, "python: there is no program `pylsp`");
        assert_eq!(checks[1].todo.as_deref(), Some("install it"));
    }

    #[test]
    fn nothing_is_said_where_none_is_set_up_and_one_that_rests_is_fine() {
        let none = LanguageServers { file: None, problem: None, servers: Vec::new() };
        assert!(checks(&none).is_empty());
        let [check] = &checks(&server(LanguageServerState::Resting, None))[..] else { panic!("one") };
        assert_eq!(
            (check.state, check.found.as_str()),
            (State::Good, "python: /usr/bin/pylsp; starts when a file needs it")
        );
    }
}
