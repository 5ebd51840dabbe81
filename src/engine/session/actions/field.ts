import { setTimeout as sleep } from 'node:timers/promises'
import { poll } from '../../../util/async.ts'
import { deleteKey, findKey } from '../../browser/input/mouse-and-keyboard.ts'
import type { FieldKind } from '../../page-script/actions/form-fields.ts'
import type { LiveTab } from '../page/live-tab.ts'
import { frameAt, inPage } from '../../browser/acts/call-page.ts'
import { findRef, onElement, resolveRef } from '../page/find-target.ts'
import { ActionError, GoneError } from '../../browser/acts/tab-frames.ts'
import type { ActionOutcome } from '../page/text/remarks.ts'
import type { ActionHandler, ActionContext } from './action-context.ts'
import { clickElement } from '../../browser/acts/press.ts'
import { secretNameIn } from '../secrets/typed-secrets.ts'
import { clickTarget } from './pointer.ts'

const readyMs = 5000

/** Resolves a target to its field, and waits until the field accepts input. */
async function fieldOf(tab: LiveTab, target: string, signal: AbortSignal, fields: 'only' | 'or lists' = 'only') {
  return onElement({ tab, target, fields, signal }, async (ref) => {
    const field = await poll(readyMs, signal, () => inPage(tab, 'resolveField', [ref], signal), acceptsInput)
    if (field.kind === 'gone') throw new GoneError(`e${ref} cannot be filled in: ${refusals.gone}.`)
    return field
  })
}

const acceptsInput = ({ kind }: { kind: FieldKind }) => kind !== 'disabled' && kind !== 'read-only'

const fill: ActionHandler<'fill'> = async (stage, { target, value, submit }, signal) => {
  const outcome = await fillField(stage, { target, value }, signal)
  return submit ? { ...outcome, ...(await press(stage, { type: 'press', key: 'Enter' }, signal)) } : outcome
}

async function fillField(
  stage: ActionContext,
  { target, value }: { target: string; value: string },
  signal: AbortSignal,
): Promise<ActionOutcome> {
  const { tab } = stage
  const { ref, kind } = await fieldOf(tab, target, signal)
  if (await typedSecret(stage, { value, ref }, signal)) return {}
  if (kind === 'options') return select(stage, { type: 'select', target: `e${ref}`, options: [value] }, signal)
  if (kind === 'toggle' && /^(?:true|false|on|off|yes|no)$/i.test(value))
    return check(stage, { type: /^(?:true|on|yes)$/i.test(value) ? 'check' : 'uncheck', target: `e${ref}` }, signal)
  if (kind === 'slider') return moveSlider(tab, ref, value, signal)
  if (kind !== 'value' && kind !== 'text') throw new ActionError(`e${ref} cannot be filled in: ${refusals[kind]}.`)
  const { value: taken, form } = await inPage(tab, 'valueTaken', [ref, value], signal)
  if (taken === undefined) throw new ActionError(`e${ref} did not take the value and is unchanged: it takes ${form}.`)
  if (kind === 'value') await inPage(tab, 'setValue', [ref, taken], signal)
  else await enterText(tab, ref, taken, signal)
  return checkFilled(tab, ref, taken, signal)
}

/** Types the secret that the value names. Returns false if the value names no secret. */
async function typedSecret(
  { tab, secrets }: ActionContext,
  { value, ref }: { value: string; ref: number | null },
  signal: AbortSignal,
): Promise<boolean> {
  const name = secretNameIn(value)
  if (name !== undefined) await secrets?.type(tab, name, ref, signal)
  return name !== undefined && secrets !== undefined
}

const maxSteps = 300

/** Moves a custom slider with the keyboard. The first key press shows the step size and thus the number of presses. */
async function moveSlider(tab: LiveTab, ref: number, value: string, signal: AbortSignal): Promise<ActionOutcome> {
  const wanted = Number(value)
  const read = () => inPage(tab, 'readField', [ref], signal)
  const press = async (key: string, times = 1) => {
    for (let at = 0; at < times; at++) await tab.keyboard.press(findKey(key)!, signal)
    return Number((await read())?.value)
  }
  const [min, max] = (await read())?.range ?? [0, 0]
  if (!(wanted >= min && wanted <= max)) throw new ActionError(`e${ref} takes a number from ${min} to ${max}.`)
  await inPage(tab, 'focusElement', [ref], signal)
  const start = await press('Home')
  const step = wanted === start ? 0 : (await press('ArrowRight')) - start
  const steps = step > 0 ? Math.min(maxSteps, Math.round((wanted - start) / step) - 1) : 0
  const now = await press('ArrowRight', steps)
  if (now === wanted) return {}
  if (step === 0 && wanted !== start) return clickSlider(tab, ref, (wanted - min) / Math.max(1, max - min), signal)
  return { remark: `is ${now} now, the nearest of its steps` }
}

/** Clicks a slider that ignores keys, at a fraction of its length. */
async function clickSlider(tab: LiveTab, ref: number, fraction: number, signal: AbortSignal): Promise<ActionOutcome> {
  const before = (await inPage(tab, 'readField', [ref], signal))?.value
  const box = await inPage(tab, 'boxOf', [ref], signal)
  const isTall = box !== undefined && box.height > box.width
  const [x, y] = isTall
    ? [box.width / 2, box.height * (1 - fraction)]
    : [(box?.width ?? 0) * fraction, (box?.height ?? 0) / 2]
  await clickTarget(tab, `e${ref} at ${x},${y}`, signal)
  const now = (await inPage(tab, 'readField', [ref], signal))?.value
  if (now === before) throw new ActionError(`e${ref} moves neither by keys nor by a press: drag its thumb.`)
  return { remark: `is ${now} now` }
}

const refusals: Record<Exclude<FieldKind, 'options' | 'value' | 'text' | 'slider'>, string> = {
  toggle: 'use check or uncheck',
  gone: 'it has left the page',
  file: 'use upload',
  files: 'use upload',
  none: 'it is not a field',
  disabled: 'it is disabled',
  'read-only': 'it can only be read',
}

async function enterText(tab: LiveTab, ref: number, value: string, signal: AbortSignal): Promise<void> {
  await inPage(tab, 'selectAll', [ref], signal)
  await tab.keyboard.press(deleteKey, signal)
  if (value !== '') await tab.keyboard.insertText(value, signal)
  if (await hasValue(tab, ref, value, signal)) return
  // Some fields react only to key events.
  await inPage(tab, 'selectAll', [ref], signal)
  await tab.keyboard.press(deleteKey, signal)
  await tab.keyboard.write(value, signal)
}

async function hasValue(tab: LiveTab, ref: number, value: string, signal: AbortSignal): Promise<boolean> {
  const now = await inPage(tab, 'readField', [ref], signal)
  return !now || normalise(now.value) === normalise(value)
}

/** Fields reformat white space in numbers and lines. */
const normalise = (value: string) => value.replace(/[\s\u00a0]+/g, ' ').trim()

/** Reports the value of a filled field if the field shortened, reformatted or refused the value. */
async function checkFilled(tab: LiveTab, ref: number, value: string, signal: AbortSignal): Promise<ActionOutcome> {
  const now = await inPage(tab, 'readField', [ref], signal)
  if (!now) return { remark: 'the field has left the page since' }
  if (normalise(now.value) === normalise(value)) return {}
  if (now.value === '') throw new ActionError(`e${ref} did not take the value; it is empty now.`)
  return {
    remark: now.isSecret
      ? 'contains something else than what was filled in'
      : `contains "${now.value.slice(0, 80)}" now`,
  }
}

const type: ActionHandler<'type'> = async (stage, { value, target, submit }, signal) => {
  const { tab } = stage
  if (target !== undefined) {
    const { ref } = await fieldOf(tab, target, signal)
    await clickElement(tab, ref, signal)
    await inPage(tab, 'moveToEnd', [ref], signal)
  }
  const hasFocus =
    target !== undefined || (await (await frameAt(tab, null, signal)).frame.world.call('hasFocus', [], signal))
  tab.memory.hasActed = true
  if (!(await typedSecret(stage, { value, ref: null }, signal))) await tab.keyboard.write(value, signal)
  if (submit) await press(stage, { type: 'press', key: 'Enter' }, signal)
  return hasFocus ? {} : { remark: 'no element had the focus, so the text may have gone nowhere' }
}

const press: ActionHandler<'press'> = async ({ tab }, { key, target, times = 1 }, signal) => {
  const found = findKey(key)
  if (!found)
    throw new ActionError('Unknown key; use a name such as Enter, Tab, ArrowDown, Control+A or a single character.')
  if (target === undefined && tab.frames.isLimited()) await frameAt(tab, null, signal)
  if (target !== undefined) await inPage(tab, 'focusElement', [await resolveRef(tab, target, 'any', signal)], signal)
  tab.memory.hasActed = true
  for (let at = 0; at < Math.min(times, 50); at++) await tab.keyboard.press(found, signal)
  return {}
}

const select: ActionHandler<'select'> = async (stage, { target, options }, signal) => {
  const { tab } = stage
  const { ref, kind } = await fieldOf(tab, target, signal, 'or lists')
  const [only = ''] = options
  const suggested = options.length === 1 ? await inPage(tab, 'suggestionOf', [ref, only], signal) : undefined
  if (suggested) return takeSuggestion(tab, ref, only, suggested, signal)
  if (kind !== 'options') return selectInList(stage, { ref, kind }, options, signal)
  const choose = () => inPage(tab, 'chooseOptions', [ref, options], signal)
  // Pages load the options of a list late.
  const { missing, options: all } = await poll(readyMs, signal, choose, (chosen) => chosen.missing.length === 0)
  if (missing.length > 0) throw noOption(ref, missing, all)
  const now = await inPage(tab, 'readField', [ref], signal)
  return selectionOutcome(now?.value ?? '', options)
}

/** Adds a remark only if the selection differs from the request. */
const selectionOutcome = (now: string, options: readonly string[]): ActionOutcome =>
  now === '' || normalise(now).toLowerCase() === normalise(options.join(', ')).toLowerCase()
    ? {}
    : { remark: `is "${now.slice(0, 80)}" now` }

const noOption = (ref: number, missing: readonly string[], all: readonly string[]) =>
  new ActionError(
    `e${ref} has no option "${missing.join('", "')}"; it has: ${all.slice(0, 30).join(' | ').slice(0, 600)}.`,
  )

/** Sets the value directly, because the browser shows suggestions outside the page. */
async function takeSuggestion(
  tab: LiveTab,
  ref: number,
  option: string,
  { value, all }: { value: string | undefined; all: readonly string[] },
  signal: AbortSignal,
): Promise<ActionOutcome> {
  if (value === undefined) throw noOption(ref, [option], all)
  await inPage(tab, 'setValue', [ref, value], signal)
  return checkFilled(tab, ref, value, signal)
}

const [openMs, drawMs, searchMs] = [700, 60, 12_000]

/** Opens a custom list and clicks the options. In a field that filters its list, enters each option as text first. */
async function selectInList(
  { tab }: ActionContext,
  { ref, kind }: { ref: number; kind: FieldKind },
  options: readonly string[],
  signal: AbortSignal,
): Promise<ActionOutcome> {
  for (const option of options) {
    const wanted = `option "${option}"`
    if ((await findRef(tab, wanted, signal)) === undefined) {
      await clickElement(tab, ref, signal)
      const found = await poll(openMs, signal, () => findRef(tab, wanted, signal))
      if (found === undefined && kind === 'text') await enterText(tab, ref, option, signal)
      else if (found === undefined) await scrollToOption(tab, wanted, signal)
    }
    await clickTarget(tab, wanted, signal)
  }
  const now = await inPage(tab, 'readField', [ref], signal)
  return selectionOutcome(now?.value ?? '', options)
}

/** Scrolls the open list screen by screen, because virtual lists contain only their visible rows. */
async function scrollToOption(tab: LiveTab, wanted: string, signal: AbortSignal): Promise<void> {
  const first = await findRef(tab, 'option #1', signal)
  if (first === undefined) return
  const endsAt = performance.now() + searchMs
  while (performance.now() < endsAt && (await inPage(tab, 'scrollAround', [first, 0.9, 'inside'], signal)).moved) {
    // The page draws its rows after the scroll event.
    await sleep(drawMs, undefined, { signal })
    if ((await findRef(tab, wanted, signal)) !== undefined) return
  }
}

const check: ActionHandler<'check' | 'uncheck'> = async ({ tab }, act, signal) => {
  const { ref } = await fieldOf(tab, act.target, signal)
  const wanted = act.type === 'check' && act.checked !== false
  const before = await inPage(tab, 'readField', [ref], signal)
  if (before?.checked === wanted) return { remark: `was ${wanted ? 'checked' : 'unchecked'} already` }
  await clickElement(tab, ref, signal)
  const read = () => inPage(tab, 'readField', [ref], signal)
  const now = await poll(1000, signal, read, (field) => !field || field.checked === wanted)
  if (!now || now.checked === wanted) return {}
  throw new ActionError(`e${ref} is still ${wanted ? 'unchecked' : 'checked'} after a click.`)
}

const selectText: ActionHandler<'selectText'> = async ({ tab }, { target, text }, signal) => {
  const ref = target === undefined ? 0 : await resolveRef(tab, target, 'any', signal)
  if (await inPage(tab, 'selectRange', [ref, text], signal)) return { hasEffect: true }
  throw new ActionError(`${target ?? 'The page'} does not contain "${text}".`)
}

export const fieldActions = { fill, type, press, select, selectText, check, uncheck: check }
