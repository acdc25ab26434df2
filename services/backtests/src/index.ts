export {
  JOURNAL_FILE,
  RECORD_FILE,
  type BacktestMessage,
  type BacktestRecord,
  type BacktestSettings,
  type BacktestStart,
} from './protocol.ts';
