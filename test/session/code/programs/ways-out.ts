const connected = (start: string) =>
  `return new Promise((resolve, reject) => void ${start}.on('error', reject).on('connect', resolve))`
const passwords = 'file:///etc/passwd'
const stealing = `import text from "${passwords}" with { type: "text" }; export default text`
const worker = `const worker = new (require('worker_threads').Worker)`
const awaited = `; return new Promise((resolve, reject) => worker.on('message', resolve).on('error', reject))`

/** Code that would lead out of its process, by name; it throws if the way is closed. */
export const waysOut: Record<string, string> = {
  'read a file': `require('fs').readFileSync('/etc/passwd')`,
  'list a folder': `require('fs').readdirSync('/')`,
  'read its own program': `require('fs').readFileSync(process.argv[1])`,
  'write a file': `require('fs').writeFileSync('/tmp/left-by-code', '')`,
  'import a file': `await import('${passwords}', { with: { type: 'text' } })`,
  'import its own program': `await import('file://' + process.argv[1] + '?again')`,
  'import by a module of its own': `await import('data:text/javascript,' + encodeURIComponent('${stealing}'))`,
  'import from the network': `await import('https://deno.land/std/version.ts')`,
  'import from a registry': `await import('npm:left-pad')`,
  'read in a thread': `${worker}("require('worker_threads').parentPort.postMessage(require('fs').readFileSync('/etc/passwd'))", { eval: true })${awaited}`,
  'attach a database': `new (require('node:sqlite').DatabaseSync)(':memory:').exec("ATTACH '/tmp/left-by-code' AS left")`,
  'store for later': `localStorage.setItem('a', 'b')`,
  'cache for later': `await caches.open('a')`,
  'snapshot its memory': `require('v8').writeHeapSnapshot('/tmp/left-by-code')`,
  fetch: `await fetch('http://127.0.0.1:8080')`,
  'open a WebSocket': `new WebSocket('ws://127.0.0.1:8080')`,
  dial: connected(`require('net').connect(8080, '127.0.0.1')`),
  'dial a socket file': connected(`require('net').connect('/run/left-by-code')`),
  listen: `return new Promise((resolve, reject) => void require('net').createServer().on('error', reject).listen(0, resolve))`,
  'look up a name': `await require('dns').promises.lookup('localhost')`,
  'start a program': `require('child_process').execFileSync('/bin/true')`,
  'signal another': `process.kill(process.ppid, 0)`,
  'load an addon': `process.dlopen({ exports: {} }, '/tmp/left-by-code.node')`,
  'open a debugger': `require('inspector').open(0)`,
  'name the machine': `require('os').hostname()`,
  'name the user': `require('os').userInfo()`,
  'see the graphics card': `if ((await navigator.gpu.requestAdapter()) === null) throw new Error('none')`,
}

/** Returns code that tries all ways, and returns the names of the open ones. */
export const openOf = (ways: Record<string, string>): string => `const open = []
  for (const [name, text] of Object.entries(${JSON.stringify(ways)})) {
    const way = new Function('require', 'return (async () => {' + text + '})()')
    await way(require).then(() => open.push(name), () => {})
  }
  open`
