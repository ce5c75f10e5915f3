//! What is defined in a kernel: asked for by a small helper that goes along with the question, beside what is run. Nothing is
//! counted, put out or remembered of it. What is asked goes as data, never as code. Needs a kernel of Python.

use std::collections::BTreeSet;

use aside_core::KernelState;
use aside_jupyter::{Kernel, KernelError};
use aside_macros::boxed;
use serde::{Deserialize, Serialize};

use crate::{Session, SessionError, sql::literal};

const HELPER: &str = include_str!("variables/helper.py");

/// Which variables are asked for.
#[derive(Clone, Debug, Serialize)]
pub struct AskedVariables {
    /// These; all if there are none.
    pub names: Vec<String>,
    /// Those that have this in their name, in whatever case.
    pub find: String,
    /// Not these.
    pub apart: BTreeSet<String>,
    /// How many at most.
    pub most: usize,
    /// Characters of the value of each.
    pub each: usize,
}

/// What is defined in a kernel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Variables {
    /// In the order in which they were defined.
    pub variables: Vec<Variable>,
    /// How many there are beside these.
    pub more: usize,
    /// How many were kept apart.
    pub kept: usize,
}

/// One variable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The name of its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// The module of its type.
    pub module: String,
    /// How large it is in each direction, of an array or a table.
    #[serde(default)]
    pub shape: Option<Vec<u64>>,
    /// How many items or letters it has.
    #[serde(default)]
    pub length: Option<u64>,
    /// What an array holds.
    #[serde(default)]
    pub dtype: Option<String>,
    /// Its value in short, the columns of a table, the parameters of a function; none if there was no time to look.
    #[serde(default)]
    pub value: Option<String>,
}

#[derive(Deserialize)]
struct Said {
    user_expressions: Expressions,
}

#[derive(Deserialize)]
struct Expressions {
    asked: Value,
}

#[derive(Deserialize)]
struct Value {
    #[serde(default)]
    data: Option<Data>,
}

#[derive(Deserialize)]
struct Data {
    #[serde(rename = "text/plain")]
    text: String,
}

impl Session {
    /// Returns what is defined in the kernel.
    ///
    /// # Errors
    /// If no kernel runs, it runs something, it is none of Python, or it does not answer.
    #[boxed]
    pub async fn variables(&self, asked: &AskedVariables) -> Result<Variables, SessionError> {
        let kernel = self.kernel_at_rest()?;
        let asked = serde_json::to_string(asked).expect("it serialises to JSON");
        let expression = format!(
            "(lambda m: exec({}, m) or m[\"look\"](globals(), {}))({{\"__name__\": \"aside_variables\"}})",
            literal(HELPER),
            literal(&asked)
        );
        let reply = kernel.evaluate(&expression).await;
        if matches!(reply, Err(KernelError::Deaf { .. })) && self.kernel_at_rest().is_ok() {
            // It looks at something that takes very long; nobody else waits for that.
            kernel.interrupt().await?;
        }
        let said: Said = serde_json::from_str(&reply?.content).map_err(|_| SessionError::BadAnswer)?;
        let data = said.user_expressions.asked.data.ok_or(SessionError::BadAnswer)?;
        serde_json::from_str(&data.text).map_err(|_| SessionError::BadAnswer)
    }

    fn kernel_at_rest(&self) -> Result<Kernel, SessionError> {
        let state = self.shared.lock();
        let handle = state.handle.clone().ok_or_else(|| SessionError::NotRunning(state.path.clone()))?;
        let language = state.kernel.kernel.as_ref().map(|kernel| kernel.language.clone()).unwrap_or_default();
        if !language.eq_ignore_ascii_case("python") {
            return Err(SessionError::OnlyPython(language));
        }
        if state.kernel.state == KernelState::Idle { Ok(handle) } else { Err(SessionError::Busy) }
    }
}
