import { constants } from 'node:fs'
import { access, readdir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import type { BrowserProbes } from './find.ts'
import { findPackaged } from './packaged.ts'

/** Probes of this machine. `folder` is where a browser from npm is installed and unpacked. */
export function machineProbes(folder: string): BrowserProbes {
  // oxlint-disable-next-line node/no-process-env -- the platform and Playwright name their folders by environment variables
  const machine = { platform: process.platform, arch: process.arch, env: process.env, home: homedir() }
  return {
    machine,
    isFile,
    isProgram: async (path) =>
      (await isFile(path)) &&
      access(path, constants.X_OK).then(
        () => true,
        () => false,
      ),
    list: (path) => readdir(path).catch(() => []),
    packaged: () => findPackaged(folder, machine),
  }
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  )
