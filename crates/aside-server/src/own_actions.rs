//! Actions on things of the person that have no crate of actions: their name, limits, chosen model, recipes, language servers.
//! Each is a person's to ask for.

mod device_revoke;
mod language_server_restart;
mod model_choose;
mod model_test;
mod person_rename;
mod recipe_delete;
mod recipe_save;
mod spending_set_limit;
mod task_cancel;
mod task_pause;
mod thread_stop;

use std::sync::Arc;

use aside_agent::{Agents, Tasks};
use aside_core::{ActionRequest, Failure, ObjectRef, Origin};
use aside_gate::{Handler, handler};
use aside_llm::Models;
use aside_lsp::LanguageServers;
use aside_people::People;
use aside_store::Store;
use serde_json::Value;

use crate::{access::Access, profile::Profile};

/// The parts that the actions work on.
pub struct Parts {
    /// The people of the workspace.
    pub people: People,
    /// The person's profile.
    pub profile: Profile,
    /// The state of the workspace.
    pub store: Arc<Store>,
    /// The signed-in browsers.
    pub access: Arc<Access>,
    /// The models.
    pub models: Arc<Models>,
    /// The threads and their account.
    pub agents: Arc<Agents>,
    /// The tasks and recipes.
    pub tasks: Arc<Tasks>,
    /// The person's account, as tasks name it.
    pub user: String,
    /// The language servers.
    pub language_servers: Arc<LanguageServers>,
}

/// Returns all.
pub fn actions(parts: Parts) -> [Arc<dyn Handler>; 11] {
    let Parts { people, profile, store, access, models, agents, tasks, user, language_servers } = parts;
    // The agents and the tasks keep the catalog that these are in.
    let (agents, tasks) = (Arc::downgrade(&agents), Arc::downgrade(&tasks));
    [
        handler(person_rename::PersonRename { people, profile }),
        handler(model_choose::ModelChoose { store, agents: agents.clone() }),
        handler(model_test::ModelTest { models, agents: agents.clone() }),
        handler(device_revoke::DeviceRevoke { access }),
        handler(spending_set_limit::SetLimit { agents: agents.clone() }),
        handler(thread_stop::ThreadStop { agents }),
        handler(task_cancel::TaskCancel { tasks: tasks.clone(), user: user.clone() }),
        handler(task_pause::TaskPause { tasks: tasks.clone(), user }),
        handler(recipe_save::RecipeSave { tasks: tasks.clone() }),
        handler(recipe_delete::RecipeDelete { tasks }),
        handler(language_server_restart::Restart { language_servers }),
    ]
}

fn check_person(origin: &Origin) -> Result<(), Failure> {
    match origin.is_person() {
        true => Ok(()),
        false => Err(Failure::new("person_only", "only the user can request this")),
    }
}

fn object(kind: &str, id: impl ToString) -> ObjectRef {
    ObjectRef { kind: kind.to_owned(), id: id.to_string() }
}

fn request(name: &str, args: Value) -> ActionRequest {
    ActionRequest::new(name.parse().expect("our action names are well formed"), args)
}

fn ending() -> Failure {
    Failure::new("shutting_down", "the server is shutting down")
}
