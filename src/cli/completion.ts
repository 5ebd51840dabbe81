import { settings } from '../app/config.ts'
import { choicesOf, flagOf, isSwitch, settingKeys } from '../app/read-config.ts'
import { operations, tools } from '../operations/index.ts'
import { settingRow } from './help.ts'
import { commandNames, commandOf, isCommand } from './usage/command-table.ts'
import { everywhere, type FlagEntry, type FlagKey, flags } from './usage/command-flags.ts'
import { usageError } from './usage/syntax.ts'

/** A candidate for completion. */
type Offer = { word: string; about: string }
/** `values`: choices for the value of a flag; empty if any value is valid, undefined if the flag takes none. */
type FlagOffer = Offer & { values?: readonly string[] }

/**
 * `gossamer complete WORDS`: candidates for the last word, one per line, with a description after a tab. Called by
 * shells.
 */
export function completions(typed: readonly string[]): string {
  // bash splits --flag=value into three words.
  const isSplit = typed.at(-1) === '=' || typed.at(-2) === '='
  const words = typed
    .join('\0')
    .replaceAll(/\0=(?:\0|$)/g, '=')
    .split('\0')
  const last = words.pop() ?? ''
  const offers = offersFor(words, last, isSplit)
  const prefix = isSplit ? last.slice(last.indexOf('=') + 1) : last
  return offers.flatMap(({ word, about }) => (word.startsWith(prefix) ? `${word}\t${about}\n` : [])).join('')
}

function offersFor(words: readonly string[], last: string, isSplit: boolean): Offer[] {
  const valued = new Map(flagsOf(commandNames).flatMap(({ word, values }) => (values ? [[word, values] as const] : [])))
  const [, own] = /^(--[^=]+)=/.exec(last) ?? []
  const flag = own ?? words.at(-1) ?? ''
  const prefix = own === undefined || isSplit ? '' : `${own}=`
  if (own !== undefined || valued.has(flag))
    return (valued.get(flag) ?? []).map((value) => ({ word: `${prefix}${value}`, about: '' }))
  const [command, ...more] = words.filter((word, at) => !word.startsWith('-') && !valued.has(words[at - 1] ?? ''))
  if (last.startsWith('-')) return flagsOf(command !== undefined && isCommand(command) ? [command] : [])
  return more.length > 0 ? [] : wordsAfter(command)
}

const commandOffers = (): Offer[] => commandNames.map((name) => ({ word: name, about: commandOf(name).about }))

function wordsAfter(command: string | undefined): Offer[] {
  if (command === undefined) return commandOffers()
  if (command === 'call')
    return [
      ...new Map([...tools, ...operations].map(({ name, title }) => [name, { word: name, about: title }])).values(),
    ]
  if (command === 'help') {
    const topics = ['settings', ...settingKeys.map((key) => flagOf(key).slice(2))]
    return [...commandOffers(), ...topics.map((word) => ({ word, about: 'Settings' }))]
  }
  if (!isCommand(command)) return []
  return commandOf(command).forms.flatMap(({ verb, about = '' }) => (verb ? [{ word: verb, about }] : []))
}

/** Returns the flags of these commands, those of every command, and the settings. */
function flagsOf(names: readonly (typeof commandNames)[number][]): FlagOffer[] {
  const own = names.flatMap((name) => commandOf(name).forms.flatMap((form) => form.flags ?? []))
  return [...[...new Set([...own, ...everywhere])].map(ownFlag), ...settingKeys.map(settingFlag)]
}

function ownFlag(key: FlagKey): FlagOffer {
  const { about, value }: FlagEntry = flags[key]
  return { word: flagOf(key), about, ...(value !== undefined && { values: [] }) }
}

/** Returns the candidate for a setting. A switch that is on by default is offered as `--no-…`. */
function settingFlag(key: keyof typeof settings): FlagOffer {
  const [word, about] = settingRow(key)
  if (!isSwitch(key)) return { word, about, values: choicesOf(key) }
  return { word: settings[key].safeParse(undefined).data === true ? `--no-${word.slice(2)}` : word, about }
}

const stubs: Readonly<Record<string, string>> = {
  // Works in bash 3.2, which macOS has. If there is no candidate, bash offers files.
  bash: `_gossamer() {
  local IFS=$'\\n'
  COMPREPLY=($(gossamer complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -o bashdefault -F _gossamer gossamer gossamer-mcp
`,
  // Works from a folder of $fpath and by eval.
  zsh: `#compdef gossamer gossamer-mcp
_gossamer() {
  local -a list
  list=(\${(f)"$(gossamer complete "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  list=(\${list//$'\\t'/:})
  if (( $#list )); then _describe word list; else _files; fi
}
if [[ $funcstack[1] == _gossamer ]]; then _gossamer "$@"; else compdef _gossamer gossamer gossamer-mcp; fi
`,
  fish: `function __gossamer_complete
  set -l typed (commandline -opc)
  set -l token (commandline -ct)
  set -l found (gossamer complete $typed[2..] "$token" 2>/dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path "$token"
  end
end
complete -c gossamer -f -a '(__gossamer_complete)'
complete -c gossamer-mcp -w gossamer
`,
}

/** `gossamer completion bash|zsh|fish`: the script that makes the shell call `gossamer complete`. */
export function completionScript(shell = ''): string {
  const stub = Object.hasOwn(stubs, shell) ? stubs[shell] : undefined
  if (stub === undefined) throw usageError('completion')
  return stub
}
