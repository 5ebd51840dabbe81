import type { TestProject } from 'vitest/node'
import { bundle } from '../../scripts/build.ts'
import { findPackaged } from '../../src/engine/browser/find/machine-probes.ts'
import { browserFolder } from './program.ts'

/** Builds the program, because tests that spawn it or its threads run the shipped files. */
export default async function setup(project: TestProject): Promise<void> {
  console.info(`GOSSAMER_TEST_SEED=${process.env['GOSSAMER_TEST_SEED']}`)
  await Promise.all([bundle(), findPackaged(browserFolder, process)])
  project.onTestsRerun(() => bundle())
}
