import './app/fonts.css';
import './app/tokens.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App';
import { loadAhead } from './app/ahead';
import { reportMissingParts } from './app/missingParts';
import { takeSaveKey } from './app/saveKey';
import { openSession } from './app/session';
import { applySettings } from './settings/values';

applySettings();
takeSaveKey();
reportMissingParts();
void openSession();
loadAhead(location.pathname);
const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
