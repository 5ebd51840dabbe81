/* Kept in old syntax: an old Node must be able to read this far, to say that it is too old. */
'use strict'
var found = process.versions.node.split('.').map(Number)
var major = found[0]
var isSupported =
  major >= 26 ||
  (major === 24 && found[1] >= 15) ||
  (major === 22 && (found[1] > 22 || (found[1] === 22 && found[2] >= 2)))
/* What is wrong with this Node; undefined where it will do. */
module.exports = isSupported
  ? undefined
  : 'gossamer needs Node 22 (22.22.2 or later), 24 (24.15 or later) or 26 and later, but this is Node ' +
    process.versions.node +
    ' at ' +
    process.execPath +
    '.\nInstall a current Node from https://nodejs.org'
