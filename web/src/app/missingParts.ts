// A command whose part of the window could not be loaded says so, whichever command it was.
import { toastFailure } from '../ui/Toast';

/** The words of Chromium, Firefox, Safari and the bundler for a part that could not be loaded. */
const NOT_LOADED = /dynamically imported module|Importing a module script failed|preload CSS/;

/** Reports parts that nobody else reports: a command loads its part when it is first used. */
export function reportMissingParts(): void {
  window.addEventListener('unhandledrejection', (event) => {
    if (!NOT_LOADED.test(String(event.reason))) return;
    event.preventDefault();
    toastFailure({
      code: 'part_missing',
      message: 'this part of the window could not be loaded, because the server did not answer',
      hint: 'try again when the server is back, or reload the window',
      data: null,
    });
  });
}
