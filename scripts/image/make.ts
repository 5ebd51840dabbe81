import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, join, posix } from 'node:path'
import { copyOf, execForm, pairsOf, type Stage } from './dockerfile.ts'

/** Settings for starting containers of an image. */
export type Image = {
  root: string
  user: string
  workdir: string
  env: Record<string, string>
  entrypoint: string[]
  healthcheck: string[]
}

/** Creates the contents of the base image: Debian, Node, and a user named node. */
export function makeBase(root: string, suite: string): void {
  if (!existsSync(join(root, 'etc/debian_version')))
    run('debootstrap', ['--variant=minbase', '--include=ca-certificates', suite, root])
  copyFileSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'))
  copyFileSync(process.execPath, join(root, 'usr/local/bin/node'))
  if (!readFileSync(join(root, 'etc/passwd'), 'utf8').includes('\nnode:'))
    run('chroot', [root, 'useradd', '--uid', '1000', '--create-home', 'node'])
}

/** Executes the steps of a stage in `root`. Files from other stages are taken from the checkout, by the same paths. */
export function makeStage(root: string, { steps }: Stage, checkout: string): Image {
  const image: Image = { root, user: 'root', workdir: '/', env: {}, entrypoint: [], healthcheck: [] }
  for (const { instruction, text } of steps) {
    if (instruction === 'RUN') run(...shellIn(image, text))
    else if (instruction === 'COPY') copy(image, text, checkout)
    else if (instruction === 'WORKDIR') mkdirSync(join(root, (image.workdir = text)), { recursive: true })
    else if (instruction === 'ENV') Object.assign(image.env, pairsOf(text))
    else if (instruction === 'USER') image.user = text
    else if (instruction === 'ENTRYPOINT') image.entrypoint = execForm(text) ?? []
    else if (instruction === 'HEALTHCHECK') image.healthcheck = execForm(text) ?? []
  }
  return image
}

function copy({ root, workdir }: Image, text: string, checkout: string): void {
  const { from, sources, target } = copyOf(text)
  const place = join(root, posix.resolve(workdir, target))
  for (const source of sources) {
    // The earlier stage has the checkout in a folder named after the stage.
    const path = join(checkout, from === undefined ? source : source.replace(`/${from}/`, ''))
    const isInto = sources.length > 1 || target.endsWith('/')
    cpSync(path, isInto ? join(place, basename(source)) : place, { recursive: true })
  }
}

/** A shell in the image, with /dev and /proc mounted for as long as it runs. */
const shellIn = ({ root, workdir, env }: Image, script: string): [string, string[]] => [
  'unshare',
  ['--mount', 'sh', '-ec', inside, 'sh', root, workdir, script, 'DEBIAN_FRONTEND=noninteractive', ...assignments(env)],
]
const inside = `root=$1 dir=$2 script=$3; shift 3
mount --rbind /dev "$root/dev"; mount -t proc proc "$root/proc"
exec chroot "$root" env "$@" sh -ec "cd $dir; $script"`

const assignments = (env: Record<string, string>) => Object.entries(env).map(([name, value]) => `${name}=${value}`)

/** Command line for a program in a container: as its user, on a file system that is read-only except /data and /tmp. */
export const containerOf = ({ root, user, workdir, env }: Image, words: readonly string[], more = {}) => ({
  program: 'unshare',
  words: ['--mount', 'sh', '-ec', contained, 'sh', root, user, workdir, ...assignments({ ...env, ...more }), ...words],
})
const contained = `root=$1 user=$2 dir=$3; shift 3
mount --bind "$root" "$root"
mount --rbind /dev "$root/dev"; mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"; mount --bind "$root/data" "$root/data"
mount -o remount,bind,ro "$root"
exec chroot --userspec="$user" "$root" env -i PATH=/usr/local/bin:/usr/bin:/bin --chdir="$dir" "$@"`

function run(program: string, words: readonly string[]): void {
  execFileSync(program, words, { stdio: 'inherit' })
}
