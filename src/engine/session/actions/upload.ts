import { rmSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UploadFile } from '../../../contracts/page-action.ts'
import { inPage } from '../page/page-functions.ts'
import { resolveRef } from '../page/target.ts'
import { ActionError } from '../page/types.ts'
import type { ActionHandler } from './context.ts'

/** In total, in bytes. */
const mostBytes = 20_000_000
/** The browser reads a chosen file when the page asks for it, which may be much later. */
const keepMs = 10 * 60_000

/** Writes the files into a temporary folder, which is removed with the tab, or some minutes later. */
export const upload: ActionHandler<'upload'> = async ({ tab }, { target, files }, signal) => {
  const wanted = await resolveRef(tab, target, 'any', signal)
  const { ref, kind } = await inPage(tab, 'resolveField', [wanted], signal)
  if (kind !== 'file') throw new ActionError(`e${wanted} is not a file field; look for role file in a snapshot.`)
  const paths = await writeFiles(files, tab.session.ended)
  const objectId = await tab.refer('elementOf', [ref], signal)
  await tab.session.send('DOM.setFileInputFiles', { files: paths, objectId }, signal)
  const now = await inPage(tab, 'readField', [ref], signal)
  if (now && now.value === '' && files.length > 0) throw new ActionError(`e${ref} did not take the files.`)
  return { remark: `holds ${files.map(({ name }) => name).join(', ')}` }
}

async function writeFiles(files: readonly UploadFile[], ended: Promise<unknown>): Promise<string[]> {
  const contents = files.map(({ name, base64 }) => ({ name: plainName(name), bytes: Buffer.from(base64, 'base64') }))
  if (contents.reduce((sum, { bytes }) => sum + bytes.length, 0) > mostBytes)
    throw new ActionError(`The files are larger than ${mostBytes / 1_000_000} MB in all.`)
  const folder = await mkdtemp(join(tmpdir(), 'gossamer-upload-'))
  // Synchronously: when the tab ends, the program may end with it.
  const remove = () => rmSync(folder, { recursive: true, force: true })
  setTimeout(remove, keepMs).unref()
  void ended.then(remove)
  return Promise.all(
    contents.map(async ({ name, bytes }) => {
      const path = join(folder, name)
      await writeFile(path, bytes, { mode: 0o600 })
      return path
    }),
  )
}

/** The name without its path, so that no file is written elsewhere. */
function plainName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  return /^\.*$/.test(last) ? 'file' : last.slice(0, 200)
}
