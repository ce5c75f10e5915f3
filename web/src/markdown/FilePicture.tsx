import styles from './Markdown.module.css';
import { useFilePicture } from './useFilePicture';

/** A picture that is a file of the workspace, as it is now. */
export default function FilePicture({ path, alt }: { path: string; alt: string }) {
  const { data, failure } = useFilePicture(path);
  if (failure) return <em>{`${failure.message}${alt === '' ? '' : ` (${alt})`}`}</em>;
  return data ? <img src={data} alt={alt} className={styles.picture} /> : alt;
}
