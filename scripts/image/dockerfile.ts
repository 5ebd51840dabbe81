/** A step of a Dockerfile: what follows the instruction, on one line. */
export type Step = { instruction: string; text: string }
/** What one FROM begins. */
export type Stage = { base: string; name: string | undefined; steps: Step[] }

const known = new Set('COPY ENV EXPOSE ENTRYPOINT HEALTHCHECK LABEL RUN USER VOLUME WORKDIR'.split(' '))

/** The stages of a Dockerfile. Fails for an instruction that nothing here carries out, since it would be left out in silence. */
export function stagesOf(dockerfile: string): Stage[] {
  const stages: Stage[] = []
  const lines = dockerfile
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
  for (const line of lines.map((each) => each.trim()).filter(Boolean)) {
    const [, instruction = '', text = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? []
    if (instruction === 'FROM') {
      const [, base = '', name] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(text) ?? []
      stages.push({ base, name, steps: [] })
    } else if (known.has(instruction) && stages.length > 0) stages.at(-1)?.steps.push({ instruction, text })
    else throw new Error(`The Dockerfile has a line that cannot be carried out here: ${line}`)
  }
  return stages
}

/** `["node", "a.js"]`, or undefined where the words are for a shell. */
export function execForm(text: string): string[] | undefined {
  const list = /\[.*\]$/.exec(text)?.[0]
  return list === undefined ? undefined : (JSON.parse(list) as string[])
}

/** `A=1 B="two words"` as entries. */
export const pairsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S*))/g)].map(([, name = '', quoted, plain]) => [
      name,
      quoted ?? plain ?? '',
    ]),
  )

/** `--from=build a b ./to` as its parts. */
export function copyOf(text: string): { from: string | undefined; sources: string[]; target: string } {
  const words = text.split(/\s+/)
  const from = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined
  const target = words.pop()
  if (target === undefined || words.length === 0 || words.some((word) => word.startsWith('--')))
    throw new Error(`COPY ${text} is written in a way that cannot be carried out here.`)
  return { from, sources: words, target }
}
