import { chromium } from 'playwright-core'
import { once } from '../../src/util/async.ts'
import { browserHere } from '../browser/programs/machine.ts'

/** Returns one browser for all files of this process, to view our own pages. It ends with the process. */
export const sharedChromium = once(async () => {
  const { path, env: needed } = await browserHere()
  return chromium.launch({
    executablePath: path,
    args: ['--no-sandbox'],
    env: { ...process.env, ...needed } as Record<string, string>,
  })
})
