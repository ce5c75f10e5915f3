import { basePath } from '../app/base';
import styles from './Audit.module.css';
import { type AuditFilter, exportQuery } from './filter';

const FORMATS = [
  { format: 'jsonl', name: 'JSON lines', file: 'audit.jsonl', what: 'one JSON object per line' },
  { format: 'otlp', name: 'OTLP', file: 'audit.otlp.jsonl', what: 'OpenTelemetry logs in JSON' },
] as const;

/** Every entry of the chosen days as a file. */
export function Export({ filter }: { filter: AuditFilter }) {
  const days = exportQuery(filter);
  const which = days ? 'All entries of these days' : 'All entries';
  return (
    <span className={styles.exports}>
      Export
      {FORMATS.map(({ format, name, file, what }) => (
        <a
          key={format}
          className={styles.export}
          href={`${basePath}api/v1/audit/export?format=${format}${days && `&${days}`}`}
          download={file}
          title={`${which}, ${what}`}
          aria-label={`Export as ${name}`}
        >
          {name}
        </a>
      ))}
    </span>
  );
}
