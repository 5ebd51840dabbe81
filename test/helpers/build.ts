import type { TestProject } from 'vitest/node'
import { bundle } from '../../scripts/build.ts'
import { findPackaged } from '../../src/engine/browser/find/machine-probes.ts'
import { browserFolder } from './program.ts'

/** The tests that spawn the program, and threads of it, run what is shipped. */
export default async function setup(project: TestProject): Promise<void> {
  await Promise.all([bundle(), findPackaged(browserFolder, process)])
  project.onTestsRerun(() => bundle())
}
