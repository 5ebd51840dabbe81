import { join } from 'node:path'
import { AppError, fail } from '../../../kernel/error.ts'
import type { CdpMessage } from '../../browser/cdp/cdp-wire.ts'
import { frameAt, inFrame } from '../../browser/acts/call-page.ts'
import { ActionError } from '../../browser/acts/tab-frames.ts'
import { createProfileStore, type ProfileStoreOptions } from '../../browser/profile/profile-store.ts'
import type { LiveTab } from '../page/live-tab.ts'
import { readOutline } from '../page/snapshot.ts'

/** A value, and the origin whose pages it may be typed into. */
type StoredSecret = { value: string; origin: string }

const minCharacters = 4

/** Rewords errors of profile files as errors of secrets. */
const rewordError = (name: string) => (thrown: unknown) => {
  if (thrown instanceof AppError && thrown.code === 'NOT_FOUND')
    fail('NOT_FOUND', { message: `There is no secret "${name}".`, hint: 'List them with "gossamer secrets list".' })
  if (thrown instanceof AppError && thrown.code === 'PROFILE_UNREADABLE')
    fail('PROFILE_UNREADABLE', {
      message: `The stored secret "${name}" cannot be read: it was stored with another GOSSAMER_PROFILE_KEY, or is damaged.`,
      hint: 'Set GOSSAMER_PROFILE_KEY to the passphrase it was stored with, or store it again with "gossamer secrets add".',
      cause: thrown,
    })
  throw thrown
}

/**
 * Secrets of teams, stored in a separate folder like browser profiles: one file each, readable by its owner only, and
 * encrypted if there is a key.
 */
export function createStoredSecrets({ dir, ...options }: ProfileStoreOptions) {
  const files = createProfileStore({ ...options, dir: dir && join(dir, 'secrets') })

  async function find(teamId: string, name: string): Promise<StoredSecret | undefined> {
    if (!(await files.list(teamId)).some((each) => each.name === name)) return undefined
    const [stored] = (await files.export(teamId, name).catch(rewordError(name))).origins
    const value = stored?.localStorage[0]?.value
    return stored && value !== undefined ? { value, origin: stored.origin } : undefined
  }

  return {
    find,
    /** Replaces a secret of the same name. Fails with BAD_REQUEST if the name, the value or the origin is invalid. */
    async add(teamId: string, name: string, { value, origin: url }: StoredSecret): Promise<void> {
      if (!/^[\w.-]{1,64}$/.test(name))
        fail('BAD_REQUEST', {
          message: 'The name of a secret has 1 to 64 letters, digits, dots, hyphens or underscores.',
        })
      if (value.length < minCharacters || /\p{Cc}/u.test(value))
        fail('BAD_REQUEST', { message: `A secret is one line of at least ${minCharacters} characters.` })
      const { protocol = '', origin = '' } = URL.parse(url) ?? {}
      if (!/^https?:$/.test(protocol))
        fail('BAD_REQUEST', { message: 'The origin of a secret is an address such as https://shop.example.com.' })
      await files.import(teamId, name, { cookies: [], origins: [{ origin, localStorage: [{ name, value }] }] })
    },
    remove: (teamId: string, name: string) => files.delete(teamId, name).catch(rewordError(name)),
    /** Names and origins, without values. */
    async list(teamId: string): Promise<{ name: string; origin: string }[]> {
      const names = (await files.list(teamId)).map(({ name }) => name)
      return Promise.all(names.map(async (name) => ({ name, origin: (await find(teamId, name))?.origin ?? '' })))
    },
  }
}

export type TypedSecretsOptions = {
  find(name: string): Promise<StoredSecret | undefined>
  /** Returns why no secret may be typed in this session; undefined if one may. */
  refusal(): string | undefined
  /** Called before a secret is typed. */
  typing(): void
}
/** The stored secrets that a session types by name. Callers never see their values. */
export type TypedSecrets = ReturnType<typeof createTypedSecrets>

/** Returns the name in a placeholder such as `{{secret:shop-password}}`; undefined for other texts. */
export const secretNameIn = (text: unknown): string | undefined =>
  typeof text === 'string' ? /^\{\{secret:([\w.-]{1,64})\}\}$/.exec(text)?.[1] : undefined

/** Calls whose results are pictures, or text in chunks that may divide a secret: secrets cannot be hidden in them. */
const unmaskable = new Set([
  'HeadlessExperimental.beginFrame',
  'HeapProfiler.takeHeapSnapshot',
  'LayerTree.replaySnapshot',
  'Page.captureScreenshot',
  'Page.captureSnapshot',
  'Page.printToPDF',
  'Page.startScreenRecording',
  'Page.startScreencast',
])

export function createTypedSecrets({ find, refusal, typing }: TypedSecretsOptions) {
  /** Replacement of each form in which a value may be written. */
  const marks = new Map<string, string>()
  const hideIn = (text: string) => Array.from(marks).reduce((all, [form, mark]) => all.replaceAll(form, mark), text)
  const hide = <T>(value: T): T => (marks.size === 0 ? value : (mapTexts(value, hideIn) as T))

  return {
    hide,
    isUsed: () => marks.size > 0,
    /**
     * Types a secret into the field of a ref, replacing its content, or into the focused field. Fails with an
     * ActionError unless the field and the page around it are of the origin of the secret.
     */
    async type(tab: LiveTab, name: string, ref: number | null, signal: AbortSignal): Promise<void> {
      const secret = await find(name)
      if (!secret)
        throw new ActionError(`There is no secret "${name}". The operator adds one with "gossamer secrets add".`)
      const why = refusal()
      if (why !== undefined) throw new ActionError(why)
      const { value, origin } = secret
      const { frameTree } = await tab.session.send('Page.getFrameTree', {}, signal)
      const frame = ref === null ? (await frameAt(tab, null, signal)).frame : tab.frames.of(ref)
      const isOfOrigin = frameTree.frame.securityOrigin === origin
      if (isOfOrigin) typing()
      tab.memory.hide = hide
      for (const form of formsOf(value)) marks.set(form, `[secret ${name}]`)
      tab.memory.hasActed = true
      const outcome = isOfOrigin ? await inFrame(tab, frame, 'typeSecret', [ref, value, origin], signal) : 'elsewhere'
      if (outcome === 'elsewhere')
        throw new ActionError(`The secret "${name}" is typed only into pages of ${origin}, outside frames of others.`)
      if (outcome === 'no field') throw new ActionError(`The secret "${name}" is typed only into a text field.`)
    },
    /** Fails with an ActionError if the page shows a typed secret, so it must not be pictured. */
    async requireHidden(tab: LiveTab, signal: AbortSignal): Promise<void> {
      if (marks.size === 0) return
      const shown = JSON.stringify((await readOutline(tab, undefined, signal)) ?? '')
      if (hide(shown) !== shown || Array.from(marks.values()).some((mark) => shown.includes(mark)))
        throw new ActionError('The page shows a secret, so no picture of it is taken.')
    },
    /** Returns why code may not make a call of the browser; undefined allows it. */
    refusalOf: ({ method = '' }: CdpMessage) =>
      marks.size > 0 && unmaskable.has(method)
        ? 'A secret was typed in this session, and cannot be hidden in this result: use act for pictures.'
        : undefined,
  }
}

/** Returns the forms in which a page or a program may write a value, longest first. */
function formsOf(value: string): string[] {
  const asHtml = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const forms = [
    value,
    JSON.stringify(value).slice(1, -1),
    asHtml,
    asHtml.replaceAll('"', '&quot;'),
    encodeURI(value),
    encodeURIComponent(value),
    new URLSearchParams([['', value]]).toString().slice(1),
    Buffer.from(value).toString('base64').replace(/=+$/, ''),
    value.replaceAll(/\s+/g, ' ').trim(),
  ]
  return [...new Set(forms)].toSorted((one, other) => other.length - one.length)
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change))
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [change(key), mapTexts(each, change)]))
}
