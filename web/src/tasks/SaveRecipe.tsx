import { useState } from 'react';
import { openView } from '../frames/store';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { Field, Input } from '../ui/Field';
import { Note, Problem } from '../ui/Note';
import type { Failure, Recipe, Task } from '../wire/gen/types';
import { failureOf } from '../wire/requests';
import { saveRecipe } from './store';
import styles from './Tasks.module.css';

/** Keeps what a task did as a recipe, then lets its parameters be named. */
export function SaveRecipe({ task, onClose }: { task: Task; onClose(): void }) {
  const [name, setName] = useState('');
  const [recipe, setRecipe] = useState<Recipe | null>(null);
  const [names, setNames] = useState<Readonly<Record<string, string>>>({});
  const [failure, setFailure] = useState<Failure | null>(null);
  const rename = Object.fromEntries(Object.entries(names).filter(([from, to]) => to.trim() !== '' && to !== from));
  const save = async (): Promise<boolean> => {
    try {
      const saved = await saveRecipe({ task: task.id, ...(name.trim() && { name: name.trim() }), rename });
      setFailure(null);
      setRecipe(saved);
      setName(saved.name);
      setNames({});
      return true;
    } catch (error) {
      setFailure(failureOf(error));
      return false;
    }
  };
  const done = async () => {
    if (Object.keys(rename).length > 0 && !(await save())) return;
    onClose();
    openView({ kind: 'tasks' });
  };
  return (
    <Dialog title="Save as recipe" onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Note>A recipe saves the actions that ran. Values that may differ next time become parameters.</Note>
        <Field label="Name">
          {(id) => (
            <Input
              id={id}
              placeholder="Leave empty to use the goal"
              pattern="[A-Za-z0-9_\-]*"
              title="Letters, digits, - and _"
              value={name}
              readOnly={recipe !== null}
              onChange={(event) => setName(event.target.value)}
              data-first-focus
            />
          )}
        </Field>
        {recipe && <Parameters recipe={recipe} names={names} onNames={setNames} />}
        {failure && <Problem failure={failure} />}
        <div className={styles.buttons}>
          <Button type="submit" look={recipe ? 'plain' : 'primary'}>
            {recipe ? 'Save names' : 'Save'}
          </Button>
          {recipe ? (
            <Button look="primary" onClick={() => void done()}>
              Done
            </Button>
          ) : (
            <Button onClick={onClose}>Cancel</Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

interface ParametersProps {
  recipe: Recipe;
  names: Readonly<Record<string, string>>;
  onNames(names: Readonly<Record<string, string>>): void;
}

function Parameters({ recipe, names, onNames }: ParametersProps) {
  if (recipe.parameters.length === 0) return <p>Saved as {recipe.name}. It has no parameters.</p>;
  return (
    <>
      <p>
        Saved as <strong>{recipe.name}</strong>. You can rename its parameters:
      </p>
      <ul className={styles.parameters}>
        {recipe.parameters.map(({ name, about, value }) => (
          <li key={name}>
            <Input
              aria-label={`Name of parameter ${name}`}
              pattern="[A-Za-z0-9_]*"
              value={names[name] ?? name}
              onChange={(event) => onNames({ ...names, [name]: event.target.value })}
            />
            <span className={styles.meta}>
              {about}, was <code>{value}</code>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
