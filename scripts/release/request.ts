import { parseArgs } from 'node:util'

export type Request = {
  version: string
  isRehearsal: boolean
  out: string | undefined
  dist: string | undefined
}

const usage = 'Usage: npm run release -- VERSION [--dry-run] [--out FOLDER]'

/** Parses the command line. Fails if npm swallowed flags given before `--`: a rehearsal would become a release. */
export function readRequest(argv: readonly string[], env = process.env): Request {
  const { values, positionals } = parse(argv)
  const [version, ...others] = positionals
  if (version === undefined || others.length > 0) throw new Error(`Give one version. ${usage}`)
  const swallowed = ['dry_run', 'out', 'dist'].filter((name) => env[`npm_config_${name}`] !== undefined)
  if (swallowed.length > 0)
    throw new Error(
      `npm kept ${swallowed.map((name) => `--${name.replace('_', '-')}`).join(', ')} for itself. ${usage}`,
    )
  const { 'dry-run': isRehearsal, out, dist } = values
  // A build contains its version, and an earlier build the previous one.
  if (dist !== undefined && !isRehearsal)
    throw new Error('--dist needs --dry-run: a release contains a build of its own version. Leave it out.')
  return { version, isRehearsal, out, dist }
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        'dry-run': { type: 'boolean', default: false },
        out: { type: 'string' },
        dist: { type: 'string' },
      },
    })
  } catch (thrown) {
    throw new Error(`${(thrown as Error).message} ${usage}`, { cause: thrown })
  }
}
