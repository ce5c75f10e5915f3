// Nothing is painted in unit tests, and most have no document at all: what waits for a frame is done at once.
import { vi } from 'vitest';

vi.mock('../ui/painted', () => ({ afterPaint: (run: () => Promise<unknown>) => run() }));
