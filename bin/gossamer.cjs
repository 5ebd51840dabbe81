#!/usr/bin/env node
/* Kept in old syntax: an old Node must be able to read this far, to say that it is too old. */
'use strict'
var youngFlag = '--max-semi-space-size='
var fault = require('./node-version.cjs')
if (fault === undefined) {
  keepLittleFreeMemory()
  freeThreads()
  require('node:module').enableCompileCache()
  require('../dist/start.js').start()
} else {
  process.stderr.write(fault + ', or put the path of a newer one in the "command" of your client.\n')
  process.exitCode = 1
}

/*
 * The flag counts for more than the limits with which a thread is made, and those that read pages need more. The heap of
 * the main thread has been set up by now; 0 means that nothing is set.
 */
function freeThreads() {
  if (process.execArgv.indexOf(youngFlag + '4') >= 0) require('node:v8').setFlagsFromString(youngFlag + '0')
}

/*
 * glibc gives freed memory back above a limit that it raises with each large block it has freed, to tens of megabytes
 * for each thread, and never what lies below a block in use. Blocks of what comes over the network (64 kB) are therefore
 * mapped one by one. It reads both limits from the environment, once, so a server starts anew in its place. The main thread
 * passes on what threads have made: V8 would let its space for young objects grow to 16 MB thrice, and it needs a quarter of that.
 */
function keepLittleFreeMemory() {
  // oxlint-disable-next-line node/no-process-env -- what glibc reads is set nowhere else
  var given = process.env
  var isSet = 'MALLOC_TRIM_THRESHOLD_' in given
  var isServer = process.argv.indexOf('serve') > 1
  if (process.platform !== 'linux' || !isServer || isSet || process.connected || !process.execve) return
  var limits = { MALLOC_TRIM_THRESHOLD_: '1048576', MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_ARENA_MAX: '2' }
  var env = Object.assign(limits, given)
  var flags = /max[-_]semi[-_]space[-_]size/.test(given.NODE_OPTIONS) ? [] : [youngFlag + '4']
  process.execve(process.execPath, [process.execPath].concat(flags, process.execArgv, process.argv.slice(1)), env)
}
