import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

const KEYS = [
  ['/', 'Search the markets'],
  ['?', 'Show these keys'],
  ['Tab', 'Go to the next control'],
  ['← → ↑ ↓', 'Move in a choice, in the ladder, along a chart and the time slider'],
  ['Esc', 'Close the menu or a dialog'],
] as const;

export default function Keys({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl class="keys">
        {KEYS.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <Button onClick={onClose}>Close</Button>
    </Dialog>
  );
}
