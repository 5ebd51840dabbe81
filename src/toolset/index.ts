import { type Tool, toolsOf } from '../kernel/tool.ts'
import { operations } from '../operations/index.ts'
import { activityTool } from './tools/activity.ts'
import { agentTool } from './tools/agent.ts'
import { browserActTool } from './tools/browser-act.ts'
import { browserCloseTool } from './tools/browser-close.ts'
import { browserExecuteTool } from './tools/browser-execute.ts'
import { crawlCancelTool } from './tools/crawl-cancel.ts'
import { crawlStatusTool } from './tools/crawl-status.ts'
import { crawlTool } from './tools/crawl.ts'
import { monitorTool } from './tools/monitor.ts'
import { scrapeResultTool } from './tools/scrape-result.ts'
import { usageTool } from './tools/usage.ts'

/** The tools that stand for several operations each; every other operation that is a tool is one by itself. */
const merged = [
  activityTool,
  agentTool,
  browserActTool,
  browserCloseTool,
  browserExecuteTool,
  crawlCancelTool,
  crawlStatusTool,
  crawlTool,
  monitorTool,
  scrapeResultTool,
  usageTool,
]

export const tools: readonly Tool[] = toolsOf(operations, merged)
