import { expose } from 'comlink';
import { AssetSession } from './asset-session.ts';

expose(new AssetSession());
