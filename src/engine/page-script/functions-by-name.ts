import * as clickPoints from './actions/click-points.ts'
import * as findText from './actions/find-text.ts'
import * as formFields from './actions/form-fields.ts'
import { matchElements, resolveTarget } from './actions/resolve-target.ts'
import * as scrolling from './actions/scroll-in-page.ts'
import { sampleElements } from './branding/elements.ts'
import * as logos from './branding/logos.ts'
import { convertColors } from './dom/ink.ts'
import * as tree from './dom/tree.ts'
import { captureHtml } from './page/capture-html.ts'
import * as liveViewFields from './page/live-view-fields.ts'
import * as loadState from './page/load-state.ts'
import * as siteData from './profile/site-data.ts'
import {
  extractContent,
  extractRows,
  markControls,
  readElement,
  readSnapshot,
  unmarkControls,
} from './snapshot/read-snapshot.ts'

/** Functions that take or return refs of elements. */
const withRefs = {
  ...clickPoints,
  ...findText,
  ...formFields,
  ...scrolling,
  captureHtml,
  extractContent,
  extractRows,
  markControls,
  matchElements,
  readElement,
  readSnapshot,
  resolveTarget,
}
export type RefFunctions = typeof withRefs

/** Calls one of these functions, and returns its value, the next free ref and the URL of the document. */
async function callWithRefs(firstRef: number, name: keyof RefFunctions, ...args: readonly unknown[]) {
  tree.startRefsAt(firstRef)
  const value = await (withRefs[name] as (...all: readonly unknown[]) => unknown)(...args)
  return { value, nextRef: tree.nextRef(), url: location.href }
}

const { elementOf, findHosts, hostAt, learnClosedRoot, learnInternals, learnListener } = tree

/** Functions that Node may call in a page, by name. Arguments and results are copied as JSON. */
export const pageFunctions = {
  ...liveViewFields,
  ...loadState,
  ...logos,
  ...siteData,
  callWithRefs,
  convertColors,
  elementOf,
  findHosts,
  hostAt,
  learnClosedRoot,
  learnInternals,
  learnListener,
  sampleElements,
  unmarkControls,
}
export type PageFunctions = typeof pageFunctions
