import type { FlagOffer, Offer, Offers } from './offers.ts'

const quoted = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`
const seen = (words: string) => `__fish_seen_subcommand_from ${words}`

const wordLine = (when: string, { word, about }: Offer) =>
  `complete -c gossamer -n ${quoted(when)} -f -a ${word} -d ${quoted(about)}`

function flagLine(when: string | undefined, { word, about, value }: FlagOffer): string {
  const condition = when === undefined ? '' : ` -n ${quoted(when)}`
  const takes = value === 'none' ? '' : value === 'any' ? ' -r' : ` -x -a ${quoted(value.join(' '))}`
  return `complete -c gossamer${condition} -l ${word.slice(2)}${takes} -d ${quoted(about)}`
}

/** The words after a command, until one of them stands there. What `help` explains are commands themselves. */
function afterLines([name, next]: readonly [string, readonly Offer[]]): string[] {
  const taken = next.map(({ word }) => word).join(' ')
  const when = name === 'help' ? '__gossamer_asks_help' : `${seen(name)}; and not ${seen(taken)}`
  return next.map((offer) => wordLine(when, offer))
}

export function fishScript({ commands, words, flags, everywhere }: Offers): string {
  return `# fish completion for gossamer, printed by "gossamer completion fish".
function __gossamer_asks_help
  set -l typed (commandline -opc)
  test (count $typed) -eq 2; and test $typed[2] = help
end
${[
  ...commands.map((offer) => wordLine('__fish_use_subcommand', offer)),
  ...[...words].flatMap(afterLines),
  ...[...flags].flatMap(([name, own]) => own.map((offer) => flagLine(seen(name), offer))),
  ...everywhere.map((offer) => flagLine(undefined, offer)),
].join('\n')}
complete -c gossamer-mcp -w gossamer
`
}
