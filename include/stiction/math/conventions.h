// Conventions, stated once for the whole engine. This header declares nothing.
//
// Units      SI: m, kg, s, rad, N, N·m; contact impulses λ in N·s.
// Frames     W world, P parent body, B body, G geom (shape), C contact. Monogram notation: p_AB_W is the
//            position of B from A in world axes, X_WB the pose of B in W, R_WB its rotation; neighbouring
//            letters cancel, X_WG = X_WB * X_BG. The last letter is left out when it equals the reference.
// Spatial    Motion vectors are (angular, linear), force vectors (moment, force), in world axes. The
//            reference point is the origin of the vector's kinematic tree (Kinematics::p_WT): a world-fixed
//            point that coincides with the tree's root body at the current configuration, so that precision
//            does not fade far from the world origin.
// q and v    MJCF's layout. Joints depth first in document order. Free joint: q = position of the body
//            origin in W (3), quaternion w,x,y,z (4); v = velocity of the body origin in world axes (3),
//            angular velocity in body axes (3). Ball joint: quaternion; angular velocity in body axes. Hinge
//            and slide: one number each.
// Quaternion w,x,y,z in q and in files, Eigen::Quaterniond in code; math/rotation.h converts.
// Contact    Frame C has axes t1, t2, n with n from geom A to geom B. Gap φ < 0 when overlapping. v_c is the
//            velocity of B relative to A in C; the impulse λ acts on B, -λ on A. Rows are ordered t1, t2, n.
// Gravity    (0, 0, -9.81) m/s² unless the file says otherwise.
// Step       θ-scheme in SAP's sense, v^θ = θ v + (1-θ) v0; the law acts on the velocity at the end of the
//            step.
#pragma once
