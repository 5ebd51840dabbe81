import type { TestProject } from 'vitest/node'
import { bundle } from '../../scripts/build.ts'

/** The tests that spawn the program, and threads of it, run what is shipped. */
export default async function setup(project: TestProject): Promise<void> {
  await bundle()
  project.onTestsRerun(() => bundle())
}
