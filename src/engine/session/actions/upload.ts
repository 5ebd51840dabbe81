import { setTimeout as sleep } from 'node:timers/promises'
import type { Chooser, LiveTab } from '../page/live-tab.ts'
import { inPage } from '../page/page-functions.ts'
import { mostBytes, setFiles, storeFiles, type FileBytes } from '../page/set-files.ts'
import { resolveRef } from '../page/target.ts'
import { ActionError, type ActionOutcome } from '../page/types.ts'
import type { ActionHandler } from './context.ts'
import { clickElement, clickPointOf } from './pointer.ts'

/** How long a page may take to open a chooser after a click, ms. */
const chooserMs = 1500
const chooserPollMs = 50

/** Gives files to a file field or its label, to the chooser that a click on the target opens, or to a place where files are dropped. */
export const upload: ActionHandler<'upload'> = async ({ tab }, { target, files }, signal) => {
  const contents = files.map(({ name, base64 }) => ({ name, bytes: Buffer.from(base64, 'base64') }))
  if (contents.reduce((sum, { bytes }) => sum + bytes.length, 0) > mostBytes)
    throw new ActionError(`The files are larger than ${mostBytes / 1_000_000} MB in all.`)
  const wanted = await resolveRef(tab, target, 'any', signal)
  const { ref, kind } = await inPage(tab, 'resolveField', [wanted], signal)
  if (kind === 'file') return fillField(tab, ref, contents, signal)
  const chooser = await chooserOf(tab, wanted, signal)
  if (!chooser) return dropFiles(tab, wanted, contents, signal)
  if (contents.length > 1 && !chooser.multiple)
    throw new ActionError(`The chooser that e${wanted} opens takes one file.`)
  await setFiles(chooser.session, { backendNodeId: chooser.backendNodeId }, contents, signal)
  return { remark: `chose ${namesOf(contents)}`, hasEffect: true }
}

const namesOf = (files: readonly FileBytes[]) => files.map(({ name }) => name).join(', ')

async function fillField(
  tab: LiveTab,
  ref: number,
  files: readonly FileBytes[],
  signal: AbortSignal,
): Promise<ActionOutcome> {
  const { session, world } = tab.frames.of(ref)
  await setFiles(session, { objectId: await world.refer('elementOf', [ref], signal) }, files, signal)
  const now = await inPage(tab, 'readField', [ref], signal)
  if (now && now.value === '') throw new ActionError(`e${ref} did not take the files.`)
  return { remark: `holds ${namesOf(files)}` }
}

async function chooserOf(tab: LiveTab, ref: number, signal: AbortSignal): Promise<Chooser | undefined> {
  await clickElement(tab, ref, signal)
  const until = performance.now() + chooserMs
  while (!tab.memory.chooser && performance.now() < until) await sleep(chooserPollMs, undefined, { signal })
  return tab.memory.chooser
}

async function dropFiles(
  tab: LiveTab,
  ref: number,
  files: readonly FileBytes[],
  signal: AbortSignal,
): Promise<ActionOutcome> {
  const at = await clickPointOf(tab, ref, signal)
  const data = { items: [], files: await storeFiles(tab.session, files), dragOperationsMask: 1 }
  await inPage(tab, 'watchDrop', [ref], signal)
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await tab.session.send('Input.dispatchDragEvent', { type, ...at, data }, signal)
  if (await inPage(tab, 'wasDropped', [ref], signal)) return { remark: `took ${namesOf(files)}`, hasEffect: true }
  throw new ActionError(
    `e${ref} takes no files: it is no file field, a click on it opens no chooser, and nothing can be dropped on it.`,
  )
}
