import { basePath } from '../app/base';
import styles from './Audit.module.css';
import { type AuditFilter, exportQuery } from './filter';

/** Every entry of the chosen days as a file, one JSON object a line. */
export function Export({ filter }: { filter: AuditFilter }) {
  const query = exportQuery(filter);
  return (
    <a
      className={styles.export}
      href={`${basePath}api/v1/audit/export${query && `?${query}`}`}
      download="audit.jsonl"
      title={query ? 'All entries of these days, one JSON object a line' : 'All entries, one JSON object a line'}
    >
      Export
    </a>
  );
}
