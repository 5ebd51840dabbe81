/** An instruction of a Dockerfile and its arguments, on one line. */
export type Step = { instruction: string; text: string }
/** A build stage, from one FROM to the next. */
export type Stage = { base: string; name: string | undefined; steps: Step[] }

const known = new Set('COPY ENV EXPOSE ENTRYPOINT HEALTHCHECK LABEL RUN USER VOLUME WORKDIR'.split(' '))

/** The stages of a Dockerfile. Throws on an instruction that is not implemented here instead of skipping it. */
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
    else throw new Error(`This instruction of the Dockerfile is not implemented here: ${line}`)
  }
  return stages
}

/** Parses `["node", "a.js"]`; undefined for the shell form. */
export function execForm(text: string): string[] | undefined {
  const list = /\[.*\]$/.exec(text)?.[0]
  return list === undefined ? undefined : (JSON.parse(list) as string[])
}

/** Parses `A=1 B="two words"`. */
export const pairsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S*))/g)].map(([, name = '', quoted, plain]) => [
      name,
      quoted ?? plain ?? '',
    ]),
  )

/** Parses `--from=build a b ./to`. */
export function copyOf(text: string): { from: string | undefined; sources: string[]; target: string } {
  const words = text.split(/\s+/)
  const from = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined
  const target = words.pop()
  if (target === undefined || words.length === 0 || words.some((word) => word.startsWith('--')))
    throw new Error(`This form of COPY is not implemented here: ${text}`)
  return { from, sources: words, target }
}
