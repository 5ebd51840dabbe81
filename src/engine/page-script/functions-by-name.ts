import { sampleElements } from './branding/elements.ts'
import { pageFacts, styleVariables, logoCandidates, svgOfLogo } from './branding/logos.ts'
import { convertColors } from './dom/ink.ts'
import { elementOf, nextRef, startRefsAt, closedHost, findClosedHosts, learnClosedRoot } from './dom/tree.ts'
import {
  keyboardMode,
  pasteText,
  selectedText,
  locatedFrame,
  locateForeignFrame,
  openPopupField,
  setPopupField,
} from './page/live-view-fields.ts'
import { captureHtml, foreignFrame } from './page/capture-html.ts'
import {
  findHumanTask,
  loadLazy,
  hasFocus,
  isReadableFrame,
  readLocation,
  readProgress,
  waitForLoad,
} from './page/load-state.ts'
import { clickMatch, findMatchPoint, matchElements, matchSubmitsPost, scrollMatch, scrollPage } from './page/matches.ts'
import {
  collectDatabases,
  restoreDatabases,
  collectFiles,
  collectItems,
  restoreFiles,
  restoreItems,
} from './profile/site-data.ts'
import {
  findFramePoint,
  focusedFrame,
  foreignFrames,
  findClickPoint,
  pressTaker,
  wasDropped,
  watchDrop,
  watchPress,
} from './actions/click-points.ts'
import { extractContent, extractRows, readElement, readSnapshot } from './snapshot/read-snapshot.ts'
import {
  chooseOptions,
  focusElement,
  moveToEnd,
  readField,
  resolveField,
  selectAll,
  setValue,
  suggestionOf,
  valueTaken,
} from './actions/form-fields.ts'
import { findText, scrollToText } from './actions/find-text.ts'
import { boxOf, isTextShown, placeOf, screensLeft, scrollAround, scrollIntoView } from './actions/scroll-in-page.ts'
import { resolveTarget } from './actions/resolve-target.ts'

/** Functions that take or return refs of elements. */
const withRefs = {
  boxOf,
  chooseOptions,
  extractContent,
  extractRows,
  findClickPoint,
  findFramePoint,
  findText,
  focusedFrame,
  focusElement,
  foreignFrames,
  isTextShown,
  moveToEnd,
  placeOf,
  pressTaker,
  readElement,
  readField,
  readSnapshot,
  resolveField,
  resolveTarget,
  screensLeft,
  scrollAround,
  scrollIntoView,
  scrollToText,
  selectAll,
  setValue,
  suggestionOf,
  valueTaken,
  wasDropped,
  watchDrop,
  watchPress,
}
export type RefFunctions = typeof withRefs

/**
 * Calls one of them with refs that start at a number. Returns the next free ref and the URL of the document with the
 * value.
 */
async function callWithRefs(firstRef: number, name: keyof RefFunctions, ...args: readonly unknown[]) {
  startRefsAt(firstRef)
  const value = await (withRefs[name] as (...given: readonly unknown[]) => unknown)(...args)
  return { value, nextRef: nextRef(), url: location.href }
}

/** Functions that Node may call in a page, by name. Arguments and results are copied as JSON. */
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
