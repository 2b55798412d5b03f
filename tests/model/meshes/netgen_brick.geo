# A brick of 0.4 × 0.3 × 0.2 m for Netgen.
algebraic3d
solid brick = orthobrick (0, 0, 0; 0.4, 0.3, 0.2);
tlo brick;
