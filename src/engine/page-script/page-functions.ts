import { sampleElements } from './branding/elements.ts'
import { pageFacts, styleVariables } from './branding/facts.ts'
import { logoCandidates, svgOfLogo } from './branding/logos.ts'
import { convertColors } from './dom/colors.ts'
import { elementOf } from './dom/refs.ts'
import { closedHost, findClosedHosts, learnClosedRoot } from './dom/tree.ts'
import { keyboardMode, pasteText, selectedText } from './live-view/focus.ts'
import { locatedFrame, locateForeignFrame } from './live-view/locate.ts'
import { openPopupField, setPopupField } from './live-view/popup-field.ts'
import { captureHtml, foreignFrame } from './page/capture.ts'
import { findHumanTask } from './page/human-task.ts'
import { loadLazy } from './page/load-lazy.ts'
import { clickMatch, findMatchPoint, matchElements, matchSubmitsPost, scrollMatch, scrollPage } from './page/matches.ts'
import { hasFocus, isReadableFrame, readLocation, readProgress, waitForLoad } from './page/probe.ts'
import { collectDatabases, restoreDatabases } from './profile/databases.ts'
import { collectFiles, collectItems, restoreFiles, restoreItems } from './profile/files.ts'
import { callWithRefs } from './ref-functions.ts'

/** All that Node may call in a page, by name. Arguments and results are copied as JSON. */
export const pageFunctions = {
  clickMatch,
  callWithRefs,
  captureHtml,
  closedHost,
  collectDatabases,
  collectFiles,
  collectItems,
  convertColors,
  elementOf,
  findClosedHosts,
  findHumanTask,
  findMatchPoint,
  foreignFrame,
  hasFocus,
  isReadableFrame,
  keyboardMode,
  learnClosedRoot,
  loadLazy,
  locatedFrame,
  locateForeignFrame,
  logoCandidates,
  matchElements,
  matchSubmitsPost,
  openPopupField,
  pageFacts,
  pasteText,
  readLocation,
  readProgress,
  restoreDatabases,
  restoreFiles,
  restoreItems,
  sampleElements,
  scrollMatch,
  scrollPage,
  selectedText,
  setPopupField,
  styleVariables,
  svgOfLogo,
  waitForLoad,
}
export type PageFunctions = typeof pageFunctions
