import type { Machine } from './candidates.ts'
import type { FoundBrowser, LocalBrowser } from './find.ts'

/** Whether a browser on this machine could show a window. */
export const hasDisplay = ({ platform, env }: Pick<Machine, 'platform' | 'env'>): boolean =>
  platform !== 'linux' || Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY'])

/** A remote browser shows its windows to nobody here, and a headless shell has none. */
export const hasWindows = (found: FoundBrowser): found is LocalBrowser =>
  found.from !== 'remote' && found.kind === 'full'
