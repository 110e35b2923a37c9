import { expose } from 'comlink';
import { SimulationSession } from './simulation-session.ts';

expose(new SimulationSession());
