import { Sections } from '../settings/Sections';
import { Button } from '../ui/Button';
import { Notice } from '../ui/Notice';
import { Page } from '../ui/Page';
import styles from './Models.module.css';
import { Provider } from './Provider';
import { Spending } from './Spending';
import { lookAgain, useModels } from './store';

/** The page of all providers: what was found, what was not, and what to do about it. */
export default function Models() {
  const { data, failure, loading } = useModels();
  if (!data) {
    return failure ? (
      <Notice icon="error" title="The models could not be read">
        <p>{failure.message}</p>
        <Button onClick={lookAgain}>Try again</Button>
      </Notice>
    ) : null;
  }
  return (
    <Page
      title="Models"
      width="prose"
      tools={
        <Button icon="retry" disabled={loading} onClick={lookAgain}>
          Look again
        </Button>
      }
    >
      <Sections current="models" />
      <p className={styles.intro}>
        Aside looks for Ollama on its port and for API keys in the environment it was started with. Everything but the
        assistant works without a model.
      </p>
      <ul className={styles.providers}>
        {data.providers.map((provider) => (
          <li key={provider.id}>
            <Provider provider={provider} chosen={data.chosen} />
          </li>
        ))}
      </ul>
      <Spending />
    </Page>
  );
}
