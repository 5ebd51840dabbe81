/**
 * `npm run lockfile`, after each `npm install`: adds to the lockfiles those optional platform packages that the
 * registry in use did not list. npm omits them, and `npm ci` then rejects the lockfile as incomplete on every machine.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

process.chdir(dirname(import.meta.dirname))
const paths = [
  'package-lock.json',
  'bench/package-lock.json',
  'examples/frameworks/package-lock.json',
  'tools/components/package-lock.json',
  'tools/site/package-lock.json',
]

type Entry = {
  version?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}
type Lockfile = { packages: Record<string, Entry> }

const systems = /-(android|darwin|freebsd|linux|openbsd|openharmony|win32)-/
const processors = /-(arm64|arm|ia32|loong64|ppc64|riscv64|s390x|x64)(?:-|$)/

/** Platform in the name of a binding, such as `…/binding-linux-arm-musleabihf`. */
function platformOf(name: string): Pick<Entry, 'os' | 'cpu' | 'libc'> | undefined {
  if (name.includes('-wasm32-')) return { cpu: ['wasm32'] }
  if (name.endsWith('-darwin-universal')) return { os: ['darwin'] }
  const [, os] = systems.exec(name) ?? []
  const [, cpu] = processors.exec(name) ?? []
  if (!os || !cpu) return undefined
  const libc = os === 'linux' ? [/-musl/.test(name) ? 'musl' : 'glibc'] : undefined
  return { os: [os], cpu: [cpu], ...(libc && { libc }) }
}

/** `node_modules/knip/node_modules/` of `node_modules/knip/node_modules/oxc-parser`. */
const folderOf = (owner: string) => owner.slice(0, owner.lastIndexOf('node_modules/') + 'node_modules/'.length)

function complete(path: string): void {
  const lockfile = JSON.parse(readFileSync(path, 'utf8')) as Lockfile
  const added: Record<string, Entry> = {}
  for (const [owner, { dev, optionalDependencies = {} }] of Object.entries(lockfile.packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const places = [`${owner}/node_modules/${name}`, `${folderOf(owner)}${name}`, `node_modules/${name}`]
      const exists = places.some((place) => lockfile.packages[place]?.version === version)
      const platform = platformOf(name)
      if (exists || !platform || !/^\d+\.\d+\.\d+$/.test(version)) continue
      // Same choice as npm: at the top level if the name is free, otherwise next to the owner or inside it.
      const free = places.toReversed().find((place) => !(place in lockfile.packages) && !(place in added))
      if (free === undefined) continue
      added[free] = { version, ...platform, ...(dev && { dev }), optional: true }
    }
  }
  const packages = Object.fromEntries(
    Object.entries({ ...lockfile.packages, ...added }).sort(([a], [b]) => (a < b ? -1 : 1)),
  )
  writeFileSync(path, `${JSON.stringify({ ...lockfile, packages }, null, 2)}\n`)
  console.log(`${Object.keys(added).length} platform packages added to ${path}`)
}

for (const path of paths) complete(path)
