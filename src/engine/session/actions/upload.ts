import { inPage } from '../page/page-functions.ts'
import { mostBytes, setFiles } from '../page/set-files.ts'
import { resolveRef } from '../page/target.ts'
import { ActionError } from '../page/types.ts'
import type { ActionHandler } from './context.ts'

export const upload: ActionHandler<'upload'> = async ({ tab }, { target, files }, signal) => {
  const wanted = await resolveRef(tab, target, 'any', signal)
  const { ref, kind } = await inPage(tab, 'resolveField', [wanted], signal)
  if (kind !== 'file') throw new ActionError(`e${wanted} is not a file field; look for role file in a snapshot.`)
  const contents = files.map(({ name, base64 }) => ({ name, bytes: Buffer.from(base64, 'base64') }))
  if (contents.reduce((sum, { bytes }) => sum + bytes.length, 0) > mostBytes)
    throw new ActionError(`The files are larger than ${mostBytes / 1_000_000} MB in all.`)
  const { session, world } = tab.frames.of(ref)
  await setFiles(session, { objectId: await world.refer('elementOf', [ref], signal) }, contents, signal)
  const now = await inPage(tab, 'readField', [ref], signal)
  if (now && now.value === '' && files.length > 0) throw new ActionError(`e${ref} did not take the files.`)
  return { remark: `holds ${files.map(({ name }) => name).join(', ')}` }
}
