import { makeFolder } from '../../engine/store/make-folder.ts'
import { UsageError } from '../command.ts'

/** Makes the folder that an option names, or that of the file it names. Fails with UsageError. */
export async function makePlace(option: '--out' | '--warc', folder: string): Promise<void> {
  await makeFolder(folder).catch((cause: Error) => {
    throw new UsageError(`${option}: the folder ${folder} cannot be made (${cause.message}). Name another one.`, {
      cause,
    })
  })
}
