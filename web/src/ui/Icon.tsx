import styles from './Icon.module.css';

/** Shapes on a 16 × 16 grid, drawn with the text's colour. */
const PATHS = {
  audit: 'M4 2.5h8v11H4zM6.5 5.5h3M6.5 8h3M6.5 10.5h2',
  back: 'M9.5 3.5 5 8l4.5 4.5',
  bar: 'M3 8h10',
  bell: 'M8 2.5a3.5 3.5 0 0 0-3.5 3.5v2.5L3 11.5h10L11.5 8.5V6A3.5 3.5 0 0 0 8 2.5M6.5 13.5h3',
  calendar: 'M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2.5v3M10.5 2.5v3',
  chat: 'M2.5 3.5h11v7h-6l-3 2.5v-2.5h-2z',
  check: 'm3 8.5 3.2 3.2L13 5',
  chevronDown: 'm4 6 4 4 4-4',
  chevronRight: 'm6 4 4 4-4 4',
  chevronUp: 'm4 10 4-4 4 4',
  circle: 'M8 3.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9',
  clock: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M8 5v3.2l2 1.3',
  cloud: 'M4.6 12.5a2.7 2.7 0 0 1-.3-5.4 3.8 3.8 0 0 1 7.4.2 2.6 2.6 0 0 1-.2 5.2z',
  close: 'm4 4 8 8M12 4l-8 8',
  cloudOff: 'M3 3l10 10M4.5 12H11M12.8 11.2A2.6 2.6 0 0 0 11 7a3.5 3.5 0 0 0-3.6-2.9M4.6 7.2A2.5 2.5 0 0 0 4.5 12',
  fileCode: 'M4 2.5h5.5L12.5 5.5v8H4zM7 7.5 5.8 9.2 7 11M9.5 7.5l1.2 1.7L9.5 11',
  fileData:
    'M8 2.5c2.8 0 4.5.8 4.5 1.8S10.8 6 8 6s-4.5-.8-4.5-1.7S5.2 2.5 8 2.5M3.5 4.3v7.4c0 1 1.7 1.8 4.5 1.8s4.5-.8 4.5-1.8V4.3M3.5 8c0 1 1.7 1.8 4.5 1.8s4.5-.8 4.5-1.8',
  fileImage: 'M2.5 3.5h11v9h-11zM2.5 11l3.2-3.5 2.600 2.8 1.900-1.8 3.3 3M10.5 6v.4',
  fileNotebook: 'M4 2.5h8.5v11H4zM6.5 2.5v11M2.8 5.5H4M2.8 8H4M2.8 10.5H4M8.5 5.5h2',
  filePdf: 'M4 2.5h5.5L12.5 5.5v8H4zM6 11.5c2-.6 3-3.5 2-5 2 3 3 3.5 3.5 3.5-2 0-4.5.6-5.5 1.5',
  fileSettings: 'M3 4.5h6M11.5 4.5H13M10.2 3v3M3 8h1.5M7 8h6M5.8 6.5v3M3 11.5h6M11.5 11.5H13M10.2 10v3',
  fileShell: 'M2.5 3h11v10h-11zM5 6l2 2-2 2M8.5 10.5h2.5',
  fileTable: 'M2.5 3h11v10h-11zM2.5 6.3h11M2.5 9.7h11M6.5 3v10',
  fileText: 'M4 2.5h5.5L12.5 5.5v8H4zM6 7h4.5M6 9h4.5M6 11h3',
  compare: 'M2.5 3H7v10H2.5zM9 3h4.5v10H9zM4 8h1.5M10.5 8H12M11.3 7.3v1.5',
  copy: 'M5.5 5.5h7v8h-7zM3.5 10.5v-8h7',
  download: 'M8 2.5v7.5M4.8 7 8 10.2 11.2 7M3 13.5h10',
  error: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M6 6l4 4M10 6l-4 4',
  eye: 'M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8M8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6',
  eyeOff:
    'M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8M8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6M3 2.5l10 11',
  file: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3',
  filePlus: 'M8.5 13.5H4v-11h5l3 3V8M9 2.5v3h3M12 9.5v5M9.5 12h5',
  files: 'M2.5 4h4l1.3 1.5h5.7v7h-11z',
  folder: 'M2.5 4h4l1.3 1.5h5.7v7h-11z',
  folderPlus: 'M8 12.5H2.5V4h4l1.3 1.5h5.7V8M12 9.5v5M9.5 12h5',
  full: 'M6.5 2.5h-4v4M9.5 13.5h4v-4M2.5 2.5l4.3 4.3M13.5 13.5 9.2 9.2',
  hand: 'M5 8V4.5M7.3 7.5v-4M9.6 7.5V4M12 8.5v-3M5 8.5 3.5 7.3M5 8v2.5c0 2 1.4 3 3.4 3S12 12.4 12 10.3V8',
  history: 'M2.8 5.5A5.5 5.5 0 1 1 2.5 8M2.5 2.8v3h3M8 5v3.2l2 1.3',
  key: 'M10.5 2.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M8.4 7.6 3 13M4.5 11.5 6 13M6.3 9.7l1.4 1.4',
  keyboard: 'M2 4.5h12v7H2zM4.5 7h.5M7 7h.5M9.5 7h.5M5 9.5h6',
  link: 'M7 9l4.5-4.5M8 4.5h3.5V8M10.5 10v2.5h-7v-7H6',
  machine: 'M2.5 3.5h11v7h-11zM6 13.2h4M8 10.5v2.7',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  model: 'M4 4h8v8H4zM6.5 6.5h3v3h-3zM6 2v2M10 2v2M6 12v2M10 12v2M2 6h2M2 10h2M12 6h2M12 10h2',
  mic: 'M8 2.5a1.8 1.8 0 0 1 1.8 1.8v3.4a1.8 1.8 0 0 1-3.6 0V4.3A1.8 1.8 0 0 1 8 2.5M4 7.5a4 4 0 0 0 8 0M8 11.5v2',
  more: 'M3.5 8h.6M7.7 8h.6M11.9 8h.6',
  pencil: 'M3 13l.7-3L10.6 3 13 5.4 6 12.3zM9.3 4.4l2.3 2.3',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3.5v9l7-4.5z',
  plus: 'M8 3v10M3 8h10',
  redo: 'M12.5 7H6.2a2.8 2.8 0 0 0 0 5.5H9M10 4.5 12.5 7 10 9.5',
  retry: 'M12.5 8A4.5 4.5 0 1 1 11 4.6M11.5 2v3h-3',
  rules: 'M8 2.5 13 4v4.2c0 2.8-2 4.4-5 5.6-3-1.2-5-2.8-5-5.6V4zM5.8 8l1.6 1.6 2.9-3',
  swap: 'M3 5.5h9.5M10 3l2.5 2.5L10 8M13 10.5H3.5M6 8l-2.5 2.5L6 13',
  search: 'M7 2.8a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4M10 10l3.5 3.5',
  send: 'M2.5 8 13.5 3l-3 10.5-3-4zM7.5 9.5l3-3',
  settings:
    'M8 5.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4M8 2.3v1.8M8 11.9v1.8M2.3 8h1.8M11.9 8h1.8M4 4l1.3 1.3M10.7 10.7 12 12M4 12l1.3-1.3M10.7 5.3 12 4',
  sidebar: 'M2.5 3h11v10h-11zM9.8 3v10',
  spinner: 'M8 2.5A5.5 5.5 0 1 1 2.5 8',
  splitDown: 'M2.5 3h11v10h-11zM2.5 8h11',
  splitRight: 'M2.5 3h11v10h-11zM8 3v10',
  stop: 'M4.5 4.5h7v7h-7z',
  tasks: 'm2.5 4 1.2 1.2L6 3M8 4.5h5.5M2.5 8.5l1.2 1.2L6 7.5M8 9h5.5M2.5 13l1.2 1.2L6 12M8 13.2h5.5',
  theme: 'M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11',
  thought: 'M8 2.3a4 4 0 0 1 2.2 7.4c-.5.4-.7.8-.7 1.6h-3c0-.8-.2-1.2-.7-1.6A4 4 0 0 1 8 2.3M6.6 13.5h2.8',
  tool: 'M10.8 2.7a3.2 3.2 0 0 0-3.6 4.4L2.6 11.7l1.8 1.8L9 8.9a3.2 3.2 0 0 0 4.3-3.7l-1.9 1.9-1.7-.6-.6-1.7z',
  trash: 'M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9M7 7v4M9 7v4',
  upload: 'M8 10.2V2.7M4.8 5.7 8 2.5l3.2 3.2M3 13.5h10',
  undo: 'M3.5 7h6.3a2.8 2.8 0 0 1 0 5.5H7M6 4.5 3.5 7 6 9.5',
  warning: 'M8 2.5 14 13H2zM8 6.5v3M8 11.3v.4',
} as const;

/** Names of the shapes there are. */
export type IconName = keyof typeof PATHS;

/** A decorative shape; what it means is said by the text or label beside it. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  const className = name === 'spinner' ? `${styles.icon} ${styles.spinner}` : styles.icon;
  return (
    <svg className={className} width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
