import { Sections } from '../settings/Sections';
import { Button } from '../ui/Button';
import { Problem } from '../ui/Note';
import { Notice } from '../ui/Notice';
import { Page } from '../ui/Page';
import parts from '../ui/Parts.module.css';
import { lookAgain } from './choosing';
import { pullersOf } from './found';
import { KeyForm } from './KeyForm';
import { useKeys } from './keys';
import { LocalOnlySwitch } from './LocalOnlySwitch';
import styles from './Models.module.css';
import { Provider } from './Provider';
import { PullView } from './PullView';
import { Spending } from './Spending';
import { useModels } from './store';

/** The page of all providers: what was found, what was not, and what to do about it. */
export default function Models() {
  const { data, failure, loading } = useModels();
  const keys = useKeys();
  if (!data) {
    return failure ? (
      <Notice icon="error" title="Couldn’t load models">
        <p>{failure.message}</p>
        <Button onClick={lookAgain}>Retry</Button>
      </Notice>
    ) : null;
  }
  const pullers = pullersOf(data);
  return (
    <Page
      title="Models"
      width="prose"
      tools={
        <Button icon="retry" disabled={loading} onClick={lookAgain}>
          Refresh
        </Button>
      }
    >
      <Sections current="models" />
      <p className={styles.intro}>Only the assistant needs a model. Nothing is sent to a service until you allow it.</p>
      <LocalOnlySwitch />
      {data.outside_problem && <Problem failure={{ message: data.outside_problem }} />}
      <h3>Providers</h3>
      <ul className={parts.list}>
        {data.providers.map((provider) => (
          <li key={provider.id}>
            <Provider provider={provider} chosen={data.chosen} />
          </li>
        ))}
      </ul>
      {keys.data && !data.local_only.on && (
        <>
          <h3>Add an API key</h3>
          <KeyForm />
        </>
      )}
      {pullers.length > 0 && (
        <>
          <h3>Download a model with Ollama</h3>
          <PullView at={pullers} />
        </>
      )}
      <Spending />
    </Page>
  );
}
