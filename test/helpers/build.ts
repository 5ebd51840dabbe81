import { bundle } from '../../scripts/build.ts'

/** The tests that spawn the program run what is shipped. */
export default async function setup(): Promise<void> {
  await bundle()
}
