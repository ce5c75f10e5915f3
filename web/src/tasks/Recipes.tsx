import { type ChangeEventHandler, useMemo, useState } from 'react';
import { Plain } from '../actions/Plain';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { Field, Input, TextArea } from '../ui/Field';
import { Note, Problem } from '../ui/Note';
import { SureButton } from '../ui/SureButton';
import { toastFailure } from '../ui/Toast';
import type { Recipe } from '../wire/gen/types';
import { failureOf } from '../wire/requests';
import { useResource } from '../wire/resource';
import { DryRun } from './DryRun';
import { deleteRecipe, fromRecipe } from './store';
import styles from './Tasks.module.css';

/** The recipes of this workspace, to be run with other values. */
export function Recipes() {
  const { data, failure } = useResource<Recipe[]>('recipes');
  const [running, setRunning] = useState<Recipe | null>(null);
  return (
    <section className={styles.part} aria-labelledby="recipes">
      <h3 id="recipes">Recipes</h3>
      {failure && <Problem failure={failure} />}
      {data?.length === 0 && <Note>Save a completed task as a recipe to run it again with other values.</Note>}
      <ul className={styles.recipes}>
        {data?.map((recipe) => (
          <li key={recipe.name}>
            <div>
              <strong>{recipe.name}</strong>{' '}
              <span className={styles.meta}>
                <Plain text={recipe.goal} />
              </span>
              <span className={styles.meta}>
                {recipe.steps.length} {recipe.steps.length === 1 ? 'step' : 'steps'}
                {recipe.parameters.length > 0 && ` · ${recipe.parameters.map(({ name }) => name).join(', ')}`}
              </span>
            </div>
            <Button aria-label={`Run ${recipe.name}`} onClick={() => setRunning(recipe)}>
              Run…
            </Button>
            <SureButton verb="Delete" what={recipe.name} onSure={() => void remove(recipe.name)} />
          </li>
        ))}
      </ul>
      {running && <RunRecipe recipe={running} onClose={() => setRunning(null)} />}
    </section>
  );
}

async function remove(name: string): Promise<void> {
  try {
    await deleteRecipe(name);
  } catch (error) {
    toastFailure(failureOf(error));
  }
}

/** Values for the parameters, then what it would do, then a yes. */
function RunRecipe({ recipe, onClose }: { recipe: Recipe; onClose(): void }) {
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(recipe.parameters.map(({ name, value }) => [name, value])),
  );
  const [shown, setShown] = useState(recipe.parameters.length === 0);
  const make = useMemo(() => fromRecipe(recipe.name, values), [recipe.name, values]);
  if (shown) {
    return (
      <Dialog title={`${recipe.name}: preview`} onClose={onClose}>
        <DryRun make={make} verb="Run it" onDone={onClose}>
          {recipe.parameters.length > 0 && <Button onClick={() => setShown(false)}>Back to values</Button>}
          <Button onClick={onClose}>Cancel</Button>
        </DryRun>
      </Dialog>
    );
  }
  return (
    <Dialog title={`Run ${recipe.name}`} onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          setShown(true);
        }}
      >
        {recipe.parameters.map(({ name, about, value }, index) => (
          <Field key={name} label={`${name}: ${about}`}>
            {(id) => (
              <Value
                id={id}
                value={values[name] ?? ''}
                lines={value.includes('\n')}
                data-first-focus={index === 0 || undefined}
                onChange={(event) => setValues({ ...values, [name]: event.target.value })}
              />
            )}
          </Field>
        ))}
        <div className={styles.buttons}>
          <Button type="submit" look="primary">
            Preview
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}

interface ValueProps {
  id: string;
  value: string;
  /** It had several lines: a field of one line would lose them. */
  lines: boolean;
  'data-first-focus': true | undefined;
  onChange: ChangeEventHandler<HTMLInputElement | HTMLTextAreaElement>;
}

function Value({ lines, ...rest }: ValueProps) {
  return lines ? <TextArea rows={4} spellCheck={false} {...rest} /> : <Input spellCheck={false} {...rest} />;
}
