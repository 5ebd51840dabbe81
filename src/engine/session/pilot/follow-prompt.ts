import type { Ctx } from '../../../kernel/ctx.ts'
import { abortReason } from '../../../util/async.ts'
import { AppError, fail } from '../../../kernel/error.ts'
import { pilot, type PilotEnd, type PilotStep } from './pilot.ts'
import { onStage, type Stage, type Performed } from './stage.ts'
import type { SessionAction } from '../../../contracts/render-port.ts'
import { findKey } from '../../browser/input/mouse-and-keyboard.ts'

/** Runs plain commands in order until one fails. Adds to `steps`. */
async function runCommands(
  { commands, steps }: { commands: readonly Command[]; steps: PilotStep[] },
  stage: Stage,
  ctx: Pick<Ctx, 'progress'>,
): Promise<PilotEnd> {
  const read: string[] = []
  let last = ''
  for (const command of commands) {
    if ('read' in command) {
      read.push((await stage.look())[command.read])
      continue
    }
    const performed = await firstThatWorks(command, stage)
    steps.push({ acts: performed.acts, ok: performed.ok })
    ctx.progress(steps.length, commands.length, `Step ${steps.length}: ${performed.acts.join(', ')}`)
    read.push(...performed.extracted)
    last = performed.text
    if (!performed.ok) return failed(performed, steps.length, commands.length)
  }
  return { output: read.length > 0 ? read.join('\n\n') : last }
}

type Ways = Extract<Command, { ways: unknown }>

async function firstThatWorks({ ways: [way = [], ...others], nextIf }: Ways, stage: Stage): Promise<Performed> {
  const performed = await stage.perform(way)
  // The next way must not be tried once an action of this way has succeeded.
  const isOver = performed.ok || performed.acts.length > 1 || others.length === 0
  const isSeveral = performed.text.includes('matches several elements')
  if (isOver || isSeveral !== (nextIf === 'several')) return performed
  return firstThatWorks({ ways: others, ...(nextIf && { nextIf }) }, stage)
}

const failed = ({ text, needsPerson }: Performed, at: number, count: number): PilotEnd => ({
  output: text,
  error: `Command ${at} of ${count} failed; output says why. Without a language model, commands name elements by what the page calls them.`,
  needsPerson,
})

/** Method of following a prompt: a language model, or plain commands. */
export type Plan = { by: 'model' } | { by: 'commands'; commands: readonly Command[] }

/** Fails with MODEL_UNAVAILABLE if a prompt needs a model and none is configured. */
export function planOf(prompt: string, { model }: Pick<Ctx['ports'], 'model'>): Plan {
  if (model.isSet()) return { by: 'model' }
  const commands = commandsIn(prompt)
  if (commands) return { by: 'commands', commands }
  return fail('MODEL_UNAVAILABLE', {
    hint: 'Without one, only plain commands are understood, such as: click "Next", then type Ann into Name, then press Enter. Otherwise send code, or use browser_snapshot and browser_act.',
  })
}

type Followed = PilotEnd & { steps: PilotStep[]; snapshot: string; isOutOfTime: boolean }
type Task = { sessionId: string; prompt: string; plan: Plan; timeoutMs: number }

const [lowerCharacters, defaultCharacters, upperCharacters] = [1500, 4000, 12_000]

/** Carries out a prompt in a session within a time limit. Fails like Sessions.act and Model.object. */
export async function followPrompt({ sessionId, prompt, plan, timeoutMs }: Task, ctx: Ctx): Promise<Followed> {
  // One character per token of context: Latin text then takes about a third of the window.
  const room = plan.by === 'model' ? ctx.ports.model.contextTokens('best') : defaultCharacters
  const maxCharacters = Math.max(lowerCharacters, Math.min(upperCharacters, room))
  const endsAt = performance.now() + timeoutMs
  const timeLeftMs = () => Math.max(1, endsAt - performance.now())
  const time = AbortSignal.timeout(timeoutMs)
  const within: Ctx = { ...ctx, signal: AbortSignal.any([ctx.signal, time]) }
  const steps: PilotStep[] = []
  const notes: string[] = []
  const work = async (stage: Stage): Promise<PilotEnd> => {
    if (plan.by === 'commands') return runCommands({ commands: plan.commands, steps }, stage, within)
    try {
      return await pilot({ prompt, maxCharacters, timeLeftMs, steps, notes }, stage, within)
    } catch (thrown) {
      const commands = thrown instanceof AppError && thrown.code.startsWith('MODEL_') ? commandsIn(prompt) : undefined
      // Steps of the model must not be repeated.
      if (!commands || steps.length > 0 || time.aborted) throw thrown
      return runCommands({ commands, steps }, stage, within)
    }
  }
  try {
    return await onStage({ sessionId, prompt, maxCharacters }, within, async (stage) => {
      const end = await work(stage)
      return { ...end, steps, snapshot: (await stage.look()).text, isOutOfTime: false }
    })
  } catch (thrown) {
    if (ctx.signal.aborted) throw abortReason(ctx.signal)
    // The model call may time out slightly before this signal.
    if (!time.aborted && timeLeftMs() > 1) throw thrown
    const error = `The task was not finished within ${timeoutMs / 1000} s. The browser is still open: call again with a higher timeout to continue.`
    return { output: notes.join('\n'), error, steps, snapshot: '', isOutOfTime: true }
  }
}

/** Command in a plain sentence. `ways`: alternatives; the next one is tried if the result is `nextIf`. */
type Command =
  | { ways: readonly (readonly SessionAction[])[]; nextIf?: 'not found' | 'several' }
  | { read: 'title' | 'url' }

const act = (...acts: SessionAction[]): Command => ({ ways: [acts] })
const into = String.raw`(?:in|into|in to|to)`

const rules: readonly (readonly [pattern: RegExp, make: (...parts: string[]) => Command | undefined])[] = [
  [
    /^(?:click|tap|press|hit)(?: on)? (.+)$/i,
    (what) => (/^(?:page|key)\b/i.test(what) ? undefined : clickOrPress(what)),
  ],
  [/^double[- ]?click(?: on)? (.+)$/i, (what) => act({ type: 'doubleClick', target: targetOf(what) })],
  [/^hover(?: over)? (.+)$/i, (what) => act({ type: 'hover', target: targetOf(what) })],
  [
    new RegExp(`^(?:type|enter|write|put|fill) (.+) ${into} (.+)$`, 'i'),
    (value, where) => act({ type: 'fill', target: fieldOf(where), value: bare(value) }),
  ],
  [
    /^(?:fill(?: in| out)?|set) (.+?) (?:with|to) (.+)$/i,
    (where, value) => act({ type: 'fill', target: fieldOf(where), value: bare(value) }),
  ],
  [/^(?:type|write) (.+)$/i, (text) => act({ type: 'type', value: bare(text) })],
  [
    /^(?:select|choose|pick) (.+) (?:in|from|for) (.+)$/i,
    (option, where) => act({ type: 'select', target: fieldOf(where), options: [bare(option)] }),
  ],
  [
    /^(?:select|choose|pick) ((?:the )?(?:radio|option)\b.+)$/i,
    (what) => act({ type: 'check', target: fieldOf(what) }),
  ],
  [/^(?:open|follow) ((?:the )?(?:link|button|menu|tab)\b.+)$/i, clickOrPress],
  [/^(?:check|tick) (.+)$/i, (what) => act({ type: 'check', target: fieldOf(what) })],
  [/^(?:uncheck|untick) (.+)$/i, (what) => act({ type: 'uncheck', target: fieldOf(what) })],
  [/^search(?: for)? (.+)$/i, (text) => search(bare(text))],
  [/^scroll(?: down)?$/i, () => act({ type: 'scroll' })],
  [/^scroll up$/i, () => act({ type: 'scroll', direction: 'up' })],
  [/^scroll(?: down)? to (?:the )?(?:end|bottom)(?: of the page)?$/i, () => act({ type: 'scroll', direction: 'end' })],
  [/^scroll(?: up)? to (?:the )?top(?: of the page)?$/i, () => act({ type: 'scroll', direction: 'top' })],
  [/^scroll to (.+)$/i, (what) => act({ type: 'scroll', target: targetOf(what) })],
  [/^(?:go|navigate) back$/i, () => act({ type: 'back' })],
  [/^(?:go|navigate) forward$/i, () => act({ type: 'forward' })],
  [/^(?:reload|refresh)(?: the page)?$/i, () => act({ type: 'reload' })],
  [/^(?:open|go to|visit|navigate to) (https?:\/\/\S+)$/i, (url) => act({ type: 'navigate', url })],
  [
    /^wait (?:for )?(\d{1,2}) ?(?:s|seconds?)$/i,
    (seconds) => act({ type: 'wait', milliseconds: Number(seconds) * 1000 }),
  ],
  [/^wait for (.+)$/i, (text) => act({ type: 'wait', text: bare(text) })],
  [
    /^(?:what(?:'s| is)|tell me|get|read|extract) the (?:page )?title(?: of (?:the|this) page)?$/i,
    () => ({ read: 'title' }),
  ],
  [
    /^(?:what(?:'s| is)|tell me|get|read|extract) the (?:url|address)(?: of (?:the|this) page)?$/i,
    () => ({ read: 'url' }),
  ],
  [/^(?:extract|read|get)(?: the)? (?:table|rows|list)$/i, () => act({ type: 'extract', as: 'rows' })],
  [
    /^(?:extract|read|get)(?: the)?(?: page'?s?)? ?(?:text|content|page)(?: of (?:the|this) page)?$/i,
    () => act({ type: 'extract', as: 'text' }),
  ],
  [
    /^(?:extract|read|get)(?: the)? (?:text|content) of (.+)$/i,
    (what) => act({ type: 'extract', target: targetOf(what), as: 'text' }),
  ],
]

/** Returns the commands of a prompt; undefined if any part is more than a plain command. */
export function commandsIn(prompt: string): Command[] | undefined {
  const text = prompt.trim().replace(/[.!?]+$/, '')
  if (text.length > maxCommandCharacters) return undefined
  const commands = sentencesIn(text).map((sentence) => commandIn(sentence))
  return commands.every((command) => command !== undefined) ? commands : undefined
}

const maxCommandCharacters = 1000
/** Separator of commands, which must be followed by a command verb; "Terms and Conditions" is a name. */
const joint =
  /(?:[,.]?\s+(?:and then|then|and)|[,.;])\s+(?:please\s+)?(?=(?:add|answer|book|buy|check|choose|click|compare|double|enter|extract|fill|find|get|give|go|hit|hover|how|is|list|make|navigate|open|order|pick|press|put|read|refresh|reload|report|return|say|scroll|search|select|set|show|tap|tell|tick|type|uncheck|untick|visit|wait|what|what's|when|where|which|who|write)\b)|\s*\n\s*/gi

function sentencesIn(text: string): string[] {
  const sentences: string[] = []
  let from = 0
  for (const { index, 0: words } of text.matchAll(joint)) {
    if (isQuoted(text, index)) continue
    sentences.push(text.slice(from, index))
    from = index + words.length
  }
  return [...sentences, text.slice(from)].map((each) => each.trim().replace(/^(?:please|then|first)\s+/i, ''))
}

const isQuoted = (text: string, at: number) => (text.slice(0, at).match(/["“”]/g) ?? []).length % 2 === 1

function commandIn(text: string): Command | undefined {
  for (const [pattern, make] of rules) {
    const found = pattern.exec(text)
    if (found) return make(...found.slice(1))
  }
  return undefined
}

function clickOrPress(what: string): Command {
  const key = what.replace(/^(?:the )?(.+?)(?: key)?$/i, '$1')
  if (findKey(key) && key.length > 1) return act({ type: 'press', key })
  const target = targetOf(what)
  const targets = [target, `button "${bare(target)}"`, `link "${bare(target)}"`]
  return { ways: targets.map((each) => [{ type: 'click', target: each }]), nextIf: 'several' }
}

/** Tries a search field by its role, then by its label and name. */
function search(value: string): Command {
  const enter: SessionAction = { type: 'press', key: 'Enter' }
  const targets = ['searchbox', 'Search', 'q']
  return { ways: targets.map((target) => [{ type: 'fill', target, value }, enter]), nextIf: 'not found' }
}

const bare = (text: string) => text.trim().replace(/^["'“](.*)["'”]$/s, '$1')
/** Keeps the quotes of a quoted name, so it is not read as a role or a command. */
const named = (text: string) => (bare(text) === text ? text : `"${bare(text)}"`)

const roles = 'button|link|tab|checkbox|heading|image|table|list|row|field'
const naming = '(?:that says|which says|saying|named|called|labell?ed|with the (?:text|label|name))'
const namedControl = new RegExp(
  `^(${roles}|box|input|text ?box|drop-?down|menu|radio(?: button)?|option) ${naming} (.+)$`,
  'i',
)

/** `the Save button` and `the button that says Save` → `button "Save"`. */
function targetOf(text: string): string {
  const plain = text.trim().replace(/^(?:the|on)\s+/i, '')
  const [, control = '', label] = namedControl.exec(plain) ?? []
  if (label !== undefined && !new RegExp(`^(?:${roles})$`, 'i').test(control)) return named(label)
  const [, name = label, role = control] =
    new RegExp(`^(.+) (${roles})$`, 'i').exec(label === undefined ? plain : '') ?? []
  return name !== undefined ? `${role.toLowerCase()} "${bare(name)}"` : named(plain)
}

function fieldOf(text: string): string {
  const plain = text
    .trim()
    .replace(/^(?:the)\s+/i, '')
    .replace(namedControl, '$2 $1')
  const bareName = plain.replace(/^(?:(?:check ?)?box|radio(?: button)?|option) (?=.)/i, '')
  return named(
    bareName.replace(/ (?:field|box|input|text ?box|drop-?down|menu|list|checkbox|radio(?: button)?|option)$/i, ''),
  )
}
